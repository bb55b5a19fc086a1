package dev.gyre.atomics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.atomics.table.ElementType;
import dev.gyre.atomics.table.Fence;
import dev.gyre.atomics.table.Operation;
import dev.gyre.atomics.table.OperationTable;
import dev.gyre.atomics.table.Scope;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class OperationTableTest {

  private static final Set<String> FOR_THE_HOST =
      Set.of("of", "length", "memory", "in", "byteSize");

  @Test
  void handlesHaveTheOperationsOfTheTableAndNoOthers() {
    for (Scope scope : Scope.values()) {
      for (ElementType type : ElementType.values()) {
        var expected =
            OperationTable.operations(scope, type).stream()
                .map(Operation::method)
                .collect(Collectors.toSet());
        Class<?> handle = Methods.handleClass(OperationTable.operations(scope, type).getFirst());
        assertThat(publicMethods(handle)).as(handle.getSimpleName()).isEqualTo(expected);
        assertThat(Modifier.isFinal(handle.getModifiers())).isTrue();
      }
    }
  }

  @Test
  void memoryThatABlockSharesHasAllOperationsOfBlockScope() {
    for (ElementType type : ElementType.values()) {
      var ofBlocks =
          OperationTable.operations(Scope.BLOCK, type).stream()
              .map(Operation::method)
              .collect(Collectors.toSet());
      Class<?> handle = Methods.handleClass(OperationTable.shared(type).getFirst());
      assertThat(publicMethods(handle)).as(handle.getSimpleName()).isEqualTo(ofBlocks);
      assertThat(OperationTable.shared(type)).extracting(Operation::method).containsAll(ofBlocks);
    }
  }

  @Test
  void fencesHaveTheFencesOfTheTableAndNoOthers() {
    var expected = OperationTable.fences().stream().map(Fence::method).collect(Collectors.toSet());
    assertThat(publicMethods(Fences.class)).isEqualTo(expected);
  }

  @Test
  void tableIsComplete() {
    // 2 plain, 3 loads, 3 stores, 10 read-modify-writes at 5 orders, 3 tests, 5 test-and-sets,
    // 3 clears, 3 waits, pause and wake.
    int perHandle = 2 + 3 + 3 + 10 * 5 + 3 + 5 + 3 + 3 + 2;
    // 2 plain, 3 loads, 3 stores, 6 read-modify-writes at 5 orders.
    int perFloating = 2 + 3 + 3 + 6 * 5;
    assertThat(OperationTable.operations())
        .hasSize((4 + 1) * 2 * (perHandle + perFloating))
        .doesNotHaveDuplicates();
    assertThat(OperationTable.fences()).hasSize(4 * 4).doesNotHaveDuplicates();
  }

  private static Set<String> publicMethods(Class<?> type) {
    return Arrays.stream(type.getDeclaredMethods())
        .filter(m -> Modifier.isPublic(m.getModifiers()))
        .map(Method::getName)
        .filter(name -> !FOR_THE_HOST.contains(name))
        .collect(Collectors.toSet());
  }
}
