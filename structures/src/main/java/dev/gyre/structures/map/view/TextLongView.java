package dev.gyre.structures.map.view;

import dev.gyre.kernels.map.Change;
import dev.gyre.structures.map.access.TextAccess;
import dev.gyre.structures.map.access.TextWalk;
import dev.gyre.structures.map.store.TextStore;
import dev.gyre.structures.map.table.TextKey;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Spliterator;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** View of a map from text to long as a map of the Java library. */
public final class TextLongView extends MapView<String, Long> {

  private final TextStore store;
  private final TextAccess access;

  public TextLongView(TextStore store, TextAccess access) {
    super(store);
    this.store = store;
    this.access = access;
  }

  private static @Nullable Long boxed(OptionalLong found) {
    return found.isPresent() ? (Long) found.getAsLong() : null;
  }

  @Override
  public @Nullable Long get(@Nullable Object key) {
    return key instanceof String text ? boxed(access.get(text)) : null;
  }

  @Override
  public @Nullable Long put(String key, Long value) {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(value, "value");
    return boxed(access.change(TextKey.of(key), value, Change.Policy.ASSIGN));
  }

  @Override
  public @Nullable Long putIfAbsent(String key, Long value) {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(value, "value");
    return boxed(access.putIfAbsent(TextKey.of(key), value));
  }

  @Override
  public @Nullable Long replace(String key, Long value) {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(value, "value");
    return boxed(access.replace(TextKey.lookedFor(key), value));
  }

  @Override
  public boolean replace(String key, Long oldValue, Long newValue) {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(oldValue, "oldValue");
    Objects.requireNonNull(newValue, "newValue");
    return access.replace(TextKey.lookedFor(key), oldValue, newValue);
  }

  @Override
  Spliterator<Map.Entry<String, Long>> entries() {
    store.requireOnJvm();
    return new Entries(new TextWalk(store));
  }

  private final class Entries extends EntrySpliterator<String, Long> {
    private final TextWalk walk;
    private List<TextWalk.Entry> collected = List.of();
    private int at;

    Entries(TextWalk walk) {
      this.walk = walk;
    }

    @Override
    public boolean tryAdvance(Consumer<? super Map.Entry<String, Long>> action) {
      while (at == collected.size()) {
        List<TextWalk.Entry> next = walk.next();
        if (next == null) {
          return false;
        }
        at = 0;
        collected = next;
      }
      TextWalk.Entry entry = collected.get(at++);
      action.accept(entry(entry.text(), entry.value));
      return true;
    }

    @Override
    public @Nullable Spliterator<Map.Entry<String, Long>> trySplit() {
      return walk.canSplit() ? new Entries(walk.split()) : null;
    }

    @Override
    public long estimateSize() {
      return collected.size() - at + walk.estimate();
    }
  }
}
