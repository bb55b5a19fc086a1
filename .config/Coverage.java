import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_void;

import java.io.IOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.attribute.SourceFileAttribute;
import java.lang.classfile.instruction.LineNumber;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * Which lines a test class runs, for Mutants: {@link #mark} writes classes that note each line, in
 * front of the others on the class path of a Java that runs {@code Coverage OUT TEST}. What it
 * writes is what the test took in milliseconds, and numbers of lines; it ends as FirstFailure does.
 */
public final class Coverage {

  private Coverage() {}

  /** Lines as {@code FILE:NUMBER}, by their numbers. */
  static final class Marks {
    final Map<String, Integer> numbers = new HashMap<>();

    int number(String file, int line) {
      return numbers.computeIfAbsent(file + ":" + line, _ -> numbers.size());
    }

    /** The class of a file with a call in front of each line. */
    byte[] mark(byte[] bytes) {
      ClassModel model = ClassFile.of().parse(bytes);
      String file =
          model
              .findAttribute(Attributes.sourceFile())
              .map(SourceFileAttribute::sourceFile)
              .map(Object::toString)
              .orElse("?");
      ClassDesc lines = ClassDesc.of(Lines.class.getName());
      CodeTransform note =
          (builder, element) -> {
            builder.with(element);
            if (element instanceof LineNumber line) {
              builder
                  .loadConstant(number(file, line.line()))
                  .invokestatic(lines, "ran", MethodTypeDesc.of(CD_void, CD_int));
            }
          };
      return ClassFile.of().transformClass(model, ClassTransform.transformingMethodBodies(note));
    }
  }

  public static void main(String[] args) throws IOException {
    FirstFailure listener = new FirstFailure();
    long start = System.nanoTime();
    listener.run(args[1]);
    StringBuilder line = new StringBuilder();
    line.append((System.nanoTime() - start) / 1_000_000);
    for (int ran = 0; ran < Lines.RAN.length; ran++) {
      if (Lines.RAN[ran] != 0) {
        line.append(' ').append(ran);
      }
    }
    var _ = Files.writeString(Path.of(args[0]), line);
    listener.end();
  }
}
