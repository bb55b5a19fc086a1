package dev.gyre.bench.fuzz;

import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Stage;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/** A map or a set: what all of them do, whatever their keys are. */
interface TableDoor extends AutoCloseable {

  /** The operations of one. */
  record Table(
      LongSupplier size,
      LongSupplier capacity,
      LongSupplier byteSize,
      Runnable clear,
      LongConsumer rehash,
      Consumer<Path> save,
      Consumer<OutputStream> saveTo,
      Function<Launcher, ?> runOn,
      Function<Runnable, Stage<?>> async,
      Runnable close) {

    /** What a stage is to do with its structure. */
    static <T> Function<T, T> doing(Runnable operation) {
      return same -> {
        operation.run();
        return same;
      };
    }
  }

  Table table();

  default long size() {
    return table().size.getAsLong();
  }

  default long capacity() {
    return table().capacity.getAsLong();
  }

  default long byteSize() {
    return table().byteSize.getAsLong();
  }

  default void clear() {
    table().clear.run();
  }

  default void rehash(long capacity) {
    table().rehash.accept(capacity);
  }

  default void save(Path file) {
    table().save.accept(file);
  }

  /** The bytes that it is saved as. */
  default MemorySegment saved() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    table().saveTo.accept(out);
    return MemorySegment.ofArray(out.toByteArray());
  }

  default void runOn(Launcher launcher) {
    var _ = table().runOn.apply(launcher);
  }

  /** One after the other, with what else is so begun. */
  default Stage<?> async(Runnable operation) {
    return table().async.apply(operation);
  }

  @Override
  default void close() {
    table().close.run();
  }
}
