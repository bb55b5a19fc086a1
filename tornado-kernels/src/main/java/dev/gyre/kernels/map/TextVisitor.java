package dev.gyre.kernels.map;

/** {@link EntryVisitor} of entries whose keys are texts. */
public interface TextVisitor {
  void visit(Text key, long value);
}
