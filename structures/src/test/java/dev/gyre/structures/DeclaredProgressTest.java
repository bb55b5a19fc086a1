package dev.gyre.structures;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.progress.DeclaredProgress;
import dev.gyre.progress.Progress;
import dev.gyre.structures.map.IntIntMap;
import dev.gyre.structures.map.IntLongMap;
import dev.gyre.structures.map.IntSet;
import dev.gyre.structures.map.LongIntMap;
import dev.gyre.structures.map.LongLongMap;
import dev.gyre.structures.map.LongSet;
import dev.gyre.structures.map.TextLongMap;
import dev.gyre.structures.map.TextSet;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every public operation of every structure declares its progress class. */
class DeclaredProgressTest {

  @Test
  void everyOperationDeclaresItsClass() {
    for (Class<?> structure : Structures.ALL) {
      assertThat(structure.getMethods())
          .as(structure.getSimpleName())
          .filteredOn(DeclaredProgressTest::isOperation)
          .allMatch(m -> m.isAnnotationPresent(Progress.class));
      assertThat(DeclaredProgress.of(structure)).isNotEmpty();
    }
  }

  private static boolean isOperation(Method method) {
    return method.getDeclaringClass() != Object.class && !Modifier.isStatic(method.getModifiers());
  }

  /** What a structure declares, but for its own name. */
  private static List<String> declared(Class<?> structure) {
    return DeclaredProgress.of(structure).stream()
        .map(
            p ->
                "%s: %s, on a device %s, because it %s"
                    .formatted(p.operation(), p.progressClass(), p.onDevice(), p.because()))
        .toList();
  }

  private static boolean isOfTexts(String operation) {
    return operation.startsWith("forEachBytes:") || operation.startsWith("textHash:");
  }

  @Test
  void mapsOfNumbersAndOfTextsDeclareTheSame() {
    for (Class<?> map : List.of(IntIntMap.class, IntLongMap.class, LongIntMap.class)) {
      assertThat(declared(map)).isEqualTo(declared(LongLongMap.class));
    }
    assertThat(declared(TextLongMap.class))
        .filteredOn(p -> !p.startsWith("countWords:") && !isOfTexts(p))
        .isEqualTo(
            declared(LongLongMap.class).stream().filter(p -> !p.startsWith("cursor:")).toList());
  }

  @Test
  void setsOfNumbersAndOfTextsDeclareTheSame() {
    assertThat(declared(IntSet.class)).isEqualTo(declared(LongSet.class));
    assertThat(declared(TextSet.class))
        .filteredOn(p -> !isOfTexts(p))
        .isEqualTo(declared(LongSet.class));
  }

  @Test
  void whatABaseClassDeclaresCounts() {
    assertThat(DeclaredProgress.of(TextLongMap.class))
        .extracting(DeclaredProgress::operation)
        .contains("insert", "get");
  }
}
