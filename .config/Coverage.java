import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_void;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Which lines a test class runs, for Mutants: {@link #mark} writes classes that note each line, in
 * front of the others on the class path of a Java that runs {@code Coverage LINES OUT TEST...}. Its
 * output is a line for each test class: its name, what it took in milliseconds, and numbers of
 * lines.
 */
public final class Coverage {

  private static final byte[] HIT = new byte[1 << 20];

  private Coverage() {}

  /** Notes a line; classes that were marked call it. */
  public static void hit(int line) {
    HIT[line] = 1;
  }

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
      ClassDesc here = ClassDesc.of(Coverage.class.getName());
      CodeTransform note =
          (builder, element) -> {
            builder.with(element);
            if (element instanceof LineNumber line) {
              builder
                  .loadConstant(number(file, line.line()))
                  .invokestatic(here, "hit", MethodTypeDesc.of(CD_void, CD_int));
            }
          };
      return ClassFile.of().transformClass(model, ClassTransform.transformingMethodBodies(note));
    }
  }

  public static void main(String[] args) throws IOException {
    List<String> out = new ArrayList<>();
    for (int i = 1; i < args.length; i++) {
      java.util.Arrays.fill(HIT, (byte) 0);
      long start = System.nanoTime();
      LauncherFactory.create()
          .execute(
              LauncherDiscoveryRequestBuilder.request()
                  .selectors(selectClass(args[i]))
                  .filters(TagFilter.excludeTags("device"))
                  .configurationParameter("junit.jupiter.execution.timeout.default", "60 s")
                  .build());
      StringBuilder line = new StringBuilder(args[i]);
      line.append(' ').append((System.nanoTime() - start) / 1_000_000);
      for (int hit = 0; hit < HIT.length; hit++) {
        if (HIT[hit] != 0) {
          line.append(' ').append(hit);
        }
      }
      out.add(line.toString());
    }
    var _ = Files.write(Path.of(args[0]), out);
    Runtime.getRuntime().halt(0);
  }
}
