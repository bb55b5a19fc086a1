package dev.gyre.kernels.tornadovm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.atomics.Handle;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.map.IntLines;
import dev.gyre.kernels.map.IntSlots;
import dev.gyre.kernels.map.LongSlots;
import dev.gyre.kernels.map.PackedSlots;
import dev.gyre.kernels.map.TextSlots;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every kernel of the maps compiles for the device; what they do is tested with the maps. */
@ExtendWith(DeviceUnderTest.class)
class MapKernelsCompileTest {

  static Stream<Class<?>> kernels() {
    return Stream.of(
            LongSlots.class, IntSlots.class, PackedSlots.class, IntLines.class, TextSlots.class)
        .flatMap(slots -> Arrays.stream(slots.getDeclaredClasses()))
        .filter(Kernel.class::isAssignableFrom);
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void compiles(Class<?> type) throws ReflectiveOperationException {
    try (TornadoLauncher launcher = DeviceUnderTest.open();
        Memory memory = Memory.ofLongs(8)) {
      RecordComponent[] components = type.getRecordComponents();
      Object[] values = new Object[components.length];
      Class<?>[] types = new Class<?>[components.length];
      for (int i = 0; i < components.length; i++) {
        types[i] = components[i].getType();
        values[i] = value(types[i], memory);
      }
      Constructor<?> constructor = type.getDeclaredConstructor(types);
      constructor.setAccessible(true);
      assertThat(launcher.source((Kernel) constructor.newInstance(values))).isNotEmpty();
    }
  }

  private static Object value(Class<?> type, Memory memory) throws ReflectiveOperationException {
    if (Handle.class.isAssignableFrom(type)) {
      return type.getMethod("of", Memory.class).invoke(null, memory);
    }
    return type == long.class ? (Object) 1L : (Object) 1;
  }
}
