package dev.gyre.structures.map.table;

import dev.gyre.atomics.AddressPin;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.ShortText;
import dev.gyre.kernels.map.SingleKeys;
import dev.gyre.kernels.map.Text;
import dev.gyre.kernels.map.TextHash;
import dev.gyre.kernels.map.TextHashing;
import dev.gyre.kernels.map.TextLayout;
import dev.gyre.structures.OperationLock.Entry;
import dev.gyre.structures.TextBytes;
import dev.gyre.structures.map.TextKeys;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Text key on the heap, with its operations on a table, by the protocol of {@link
 * dev.gyre.kernels.map.TextSlots}. One thread at a time uses it.
 *
 * <p>A search skips RESERVED slots, and accesses to states and values are seq_cst, as {@link
 * dev.gyre.kernels.map.SingleKeys} explains. Accesses to the arena follow {@code TextSlots}, whose
 * threads take space concurrently.
 */
public final class TextKey implements Text.Source {

  /**
   * Result in place of a slot: the key is absent. After an insert: it was absent and has been
   * inserted.
   */
  public static final long NONE = SingleKeys.NONE;

  /** Result in place of a slot: a wait for another thread gave up. */
  public static final long STUCK = SingleKeys.STUCK;

  /** Result in place of a slot: the text does not fit in the arena. */
  public static final long NO_TEXT = -3;

  private static final int WORD_SHIFT = 3;

  private static final boolean LITTLE = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

  // Size of a slot, in bytes.
  static final long SLOT_BYTES = (long) TextLayout.SLOT_LONGS * Long.BYTES;
  static final long FIRST = TextLayout.firstAt(0) * Long.BYTES;
  static final long MARK = TextLayout.markAt(0) * Long.BYTES;
  static final long VALUE = TextLayout.valueAt(0) * Long.BYTES;

  final long first;

  /** Second word; 0 for a key of one word. */
  private final long second;

  /** All bytes of a key of more than two words. */
  final byte @Nullable [] bytes;

  final int length;

  /** Table of which {@link #hash} is the hash; null if it was not calculated yet. */
  private @Nullable TextTable hashedFor;

  private long hash;

  private TextKey(long first, long second, byte @Nullable [] bytes, int length) {
    this.first = first;
    this.second = second;
    this.bytes = bytes;
    this.length = length;
  }

  /** Returns a key of up to two words. */
  public static TextKey of(long first, long second, int length) {
    return new TextKey(first, second, null, length);
  }

  /** Returns the key of a copy of bytes, which the caller may change. */
  public static TextKey of(byte[] bytes) {
    int length = Objects.requireNonNull(bytes, "key").length;
    return in(length > ShortText.MOST ? bytes.clone() : bytes);
  }

  /** Returns the key of an array, which is read again later if the key has more than two words. */
  static TextKey in(byte[] bytes) {
    int length = bytes.length;
    long first = ShortText.first(bytes, length);
    return length > ShortText.MOST
        ? new TextKey(first, 0, bytes, length)
        : of(first, ShortText.second(bytes, length), length);
  }

  /** Returns the key of a string; nothing is copied for up to two words of ASCII. */
  public static TextKey of(String key) {
    TextKey ascii = ofAscii(key);
    return ascii == null ? in(TextBytes.of(key)) : ascii;
  }

  /** Returns the key of a string to look up; null if no key can equal the string. */
  public static @Nullable TextKey lookedFor(String key) {
    TextKey ascii = ofAscii(key);
    byte[] bytes = ascii == null ? TextBytes.orNull(key) : null;
    return bytes == null ? ascii : in(bytes);
  }

  /** Returns the key of a string of up to two words of ASCII, otherwise null. */
  private static @Nullable TextKey ofAscii(String key) {
    int length = Objects.requireNonNull(key, "key").length();
    if (length > ShortText.MOST) {
      return null;
    }
    long first = ShortText.first(key, length);
    long second = ShortText.second(key, length);
    return (first | second) < 0 ? null : of(first, second, length);
  }

  /** Returns this key as a batch. */
  public TextKeys batch() {
    TextKeys keys = new TextKeys();
    return bytes == null ? keys.add(first, second, length) : keys.add(bytes, 0, length);
  }

  @Override
  public long word(int index) {
    return bytes == null ? second : ShortText.word(bytes, length, index);
  }

  /** Returns the key of a FILLED slot. */
  public static byte[] bytes(TextTable table, long slot) {
    int length = table.states.get(TextLayout.lengthAt(slot));
    return length > TextLayout.INLINE_BYTES
        ? TextBytes.bytes(
            table.arena, TextLayout.arenaWord(table.table.get(TextLayout.markAt(slot))), length)
        : TextBytes.bytes(table.table, TextLayout.firstAt(slot), length);
  }

  /** Returns the hash of the key of a FILLED slot. */
  public static long hash(TextTable table, long slot) {
    return table.rule.hash(table.text(slot), table.seed);
  }

  /** Returns the hash of this key, which is calculated once: a search often precedes an insert. */
  @SuppressWarnings("ReferenceEquality") // The identity matters, not the content.
  long hash(TextTable table) {
    if (hashedFor != table) {
      hash = hashed(table);
      hashedFor = table;
    }
    return hash;
  }

  private long hashed(TextTable table) {
    long seed = table.seed;
    if (table.hash != null) {
      return table.rule.hash(text(), seed);
    }
    return bytes == null
        ? TextHashing.hash(first, second, length, seed, table.multiplier, table.endMultiplier)
        : TextHashing.hash(bytes, length, seed, table.multiplier, table.endMultiplier);
  }

  /** Returns the text for a user's hash. */
  private Text text() {
    return new Text(this, first, length);
  }

  /** Returns the words of the key in an arena. */
  public int arenaWords() {
    return TextLayout.arenaWords(length);
  }

  /** Returns the slot of this key, or NONE; {@link TextReader} is faster. */
  public long find(TextTable table) {
    long hash = hash(table);
    long slots = table.slots;
    long home = TextLayout.home(hash, slots);
    long slot = home;
    do {
      // seq_cst: pairs with publish
      int state = table.states.loadSeqCst(TextLayout.stateAt(slot));
      if (MapCodes.isPresent(state) && isAt(table, slot, hash)) {
        return slot;
      }
      if (state == MapCodes.EMPTY) {
        return NONE;
      }
      slot = slot + 1 == slots ? 0 : slot + 1;
    } while (slot != home);
    return NONE;
  }

  /** Returns the value of a slot with a found key. */
  public static long value(TextTable table, long slot) {
    // seq_cst: as all accesses to values
    return table.table.loadSeqCst(TextLayout.valueAt(slot));
  }

  /** Returns the state and the length of a slot, which are adjacent, as one number. */
  static long head(int state, int length) {
    long low = LITTLE ? state : length;
    long high = LITTLE ? length : state;
    return (high << Integer.SIZE) | low;
  }

  static int state(long head) {
    return (int) (LITTLE ? head : head >> Integer.SIZE);
  }

  static int length(long head) {
    return (int) (LITTLE ? head >> Integer.SIZE : head);
  }

  private boolean restIsAt(TextTable table, long from) {
    for (int word = 1; word < TextLayout.words(length); word++) {
      if (table.arena.get(from + word) != word(word)) {
        return false;
      }
    }
    return true;
  }

  private boolean isAt(TextTable table, long slot, long hash) {
    long mark = table.table.get(TextLayout.markAt(slot));
    TextHash users = table.hash;
    if (users != null) {
      return TextLayout.hasHash(mark, hash) && users.same(table.text(slot), text());
    }
    if (!TextLayout.hasHash(mark, hash)
        || table.states.get(TextLayout.lengthAt(slot)) != length
        || table.table.get(TextLayout.firstAt(slot)) != first) {
      return false;
    }
    return length <= TextLayout.INLINE_BYTES || restIsAt(table, TextLayout.arenaWord(mark));
  }

  /**
   * Inserts this key if it is absent. The caller has a reservation.
   *
   * @param entry as in {@link ArenaChunk}
   * @return the slot where it was present; NONE if it was absent; STUCK; NO_TEXT
   */
  public long insert(TextTable table, @Nullable Entry entry, long value, long pollLimit) {
    try (ArenaChunk chunk = new ArenaChunk(table, entry, arenaWords())) {
      return chunk.isInside() ? insert(table, value, pollLimit, chunk) : NO_TEXT;
    }
  }

  /** Inserts this key as the other method does, into words of a chunk that has enough of them. */
  public long insert(TextTable table, long value, long pollLimit, ArenaChunk chunk) {
    int needed = arenaWords();
    long place = needed > 0 ? chunk.take(needed) : 0;
    long result = STUCK;
    try {
      result = claim(table, value, place, pollLimit);
    } finally {
      if (result != NONE) {
        chunk.giveBack(needed);
      }
    }
    return result;
  }

  /** Writes a key of more than one word; no thread closes the arena meanwhile. */
  private void write(DeviceLongs arena, long place) {
    MemorySegment to = arena.memory().segment();
    long at = AddressPin.first(to, place + arenaWords(), WORD_SHIFT) + (place << WORD_SHIFT);
    byte[] all = bytes;
    if (all == null) {
      AddressPin.setLong(to, at, first);
      AddressPin.setLong(to, at + Long.BYTES, second);
      return;
    }
    int from = 0;
    for (; from < length - Long.BYTES; from += Long.BYTES) {
      AddressPin.setLong(to, at + from, ShortText.word(all, from));
    }
    AddressPin.setLong(to, at + from, ShortText.lastWord(all, from, length));
  }

  private long claim(TextTable table, long value, long place, long pollLimit) {
    long hash = hash(table);
    long home = TextLayout.home(hash, table.slots);
    long slot = home;
    do {
      long at = TextLayout.stateAt(slot);
      int state = table.states.loadSeqCst(at);
      if (state == MapCodes.EMPTY) {
        state = table.states.compareAndExchangeSeqCst(at, MapCodes.EMPTY, MapCodes.RESERVED);
      }
      if (state == MapCodes.EMPTY) {
        table.states.set(TextLayout.lengthAt(slot), length);
        table.table.set(TextLayout.firstAt(slot), first);
        table.table.set(TextLayout.markAt(slot), TextLayout.mark(hash, place));
        table.table.set(TextLayout.valueAt(slot), value);
        if (length > TextLayout.INLINE_BYTES) {
          write(table.arena, place);
        }
        // seq_cst: publishes key and value, before all later reads of this thread
        table.states.storeSeqCst(at, MapCodes.FILLED);
        return NONE;
      }
      if (state == MapCodes.RESERVED) {
        // acquire: pairs with publish
        state = table.states.waitWhileEqualAcquire(at, MapCodes.RESERVED, pollLimit);
      }
      if (state == MapCodes.RESERVED) {
        return STUCK;
      }
      if (MapCodes.isPresent(state) && isAt(table, slot, hash)) {
        return slot;
      }
      slot = slot + 1 == table.slots ? 0 : slot + 1;
    } while (slot != home);
    return STUCK;
  }
}
