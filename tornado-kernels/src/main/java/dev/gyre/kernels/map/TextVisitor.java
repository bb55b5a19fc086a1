package dev.gyre.kernels.map;

/** {@link EntryVisitor} for maps whose keys are texts. */
public interface TextVisitor {
  void visit(Text key, long value);
}
