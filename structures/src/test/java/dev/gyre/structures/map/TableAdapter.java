package dev.gyre.structures.map;

import dev.gyre.kernels.Stage;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/** A map or a set under test: what all of them do, whatever their keys. */
public interface TableAdapter extends AutoCloseable {

  /** The map or set itself. */
  HashTable<?, ?, ?> table();

  default long size() {
    return table().size();
  }

  default long capacity() {
    return table().capacity();
  }

  default long byteSize() {
    return table().byteSize();
  }

  /** Number of slots of the table. */
  default long slots() {
    return table().store.slots();
  }

  default void clear() {
    table().clear();
  }

  default void rehash(long capacity) {
    table().rehash(capacity);
  }

  default void save(Path file) {
    table().save(file);
  }

  /** The bytes that it is saved as. */
  default MemorySegment saved() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    table().save(out);
    return MemorySegment.ofArray(out.toByteArray());
  }

  /** Runs an operation as a stage, in the order of these calls. */
  default Stage<?> async(Runnable operation) {
    return table()
        .async(
            _ -> {
              operation.run();
              return true;
            });
  }

  @Override
  default void close() {
    table().close();
  }
}
