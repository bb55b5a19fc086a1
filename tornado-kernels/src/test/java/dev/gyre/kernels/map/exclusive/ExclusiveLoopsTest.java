package dev.gyre.kernels.map.exclusive;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.CodeAttribute;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * HotSpot puts a method into its callers where it has few bytes of code, and puts no more than 15
 * into each other. A loop that came there at the end of a chain of calls would have what it calls
 * itself left out, and take several times as long.
 */
class ExclusiveLoopsTest {

  /** HotSpot's FreqInlineSize. */
  private static final int LARGEST_INLINED = 325;

  @ParameterizedTest
  @ValueSource(
      classes = {
        ExclusiveStateTable.class,
        ExclusivePackedTable.class,
        ExclusiveKeyTable.class,
        StateReader.class,
        SetReader.class,
        WordReader.class
      })
  void loopsOverKeysAreCompiledByThemselves(Class<?> owned) throws IOException {
    List<MethodModel> loops =
        model(owned).methods().stream().filter(ExclusiveLoopsTest::loopsOverKeys).toList();
    assertThat(loops).hasSize(ExclusiveTable.class.isAssignableFrom(owned) ? 2 : 1);
    assertThat(loops)
        .allSatisfy(
            loop ->
                assertThat(loop.findAttribute(java.lang.classfile.Attributes.code()))
                    .get()
                    .extracting(CodeAttribute::codeLength)
                    .satisfies(length -> assertThat(length).isGreaterThan(LARGEST_INLINED)));
  }

  private static boolean loopsOverKeys(MethodModel method) {
    // Not those of KeyReader of the same name, which are for single keys.
    return method.methodName().equalsString("findBlock")
        || (List.of("insert", "find").contains(method.methodName().stringValue())
            && method.methodType().stringValue().contains("ResultBlock"));
  }

  private static ClassModel model(Class<?> type) throws IOException {
    try (InputStream in =
        Objects.requireNonNull(
            type.getResourceAsStream(type.getName().replaceFirst(".*[.]", "") + ".class"))) {
      return ClassFile.of().parse(in.readAllBytes());
    }
  }
}
