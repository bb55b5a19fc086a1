package dev.gyre.kernels.map;

/**
 * {@link EntryVisitor} for maps whose keys are texts.
 *
 * @since 0.1.0
 */
public interface TextVisitor {
  void visit(Text key, long value);
}
