package dev.gyre.structures.map.table;

import dev.gyre.atomics.AddressPin;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.ShortText;
import dev.gyre.kernels.map.TextHashing;
import dev.gyre.kernels.map.TextLayout;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Looks up single texts in a table by address, concurrently with all other operations, as {@link
 * dev.gyre.kernels.map.exclusive.KeyReader} does for numbers.
 *
 * <p><b>Lifetime.</b> The caller keeps this object reachable until the end, and then checks whether
 * the table is still in place. Accesses are as in {@link TextKey}.
 *
 * <p><b>Absent strings.</b> If a table has not changed for a while, most absent strings are
 * recognised by their cached hash, {@link AbsentStrings}, without reading text or table.
 */
public final class TextReader {

  /** Result in place of a slot: the key is absent. */
  private static final long NONE = TextKey.NONE;

  /** Sampling rate of absent strings, as a power of two: all threads note them in one counter. */
  private static final int NOTED_BITS = 6;

  /** All bits of a head except the one that distinguishes HELD from FILLED. */
  private static final long UNHELD = ~TextKey.head(MapCodes.HELD ^ MapCodes.FILLED, 0);

  private static final long BEYOND_ASCII = 0x8080_8080_8080_8080L;

  /** Largest text outside ASCII that is copied, in bytes. */
  private static final int MOST_COPIED = 1 << 12;

  private final TextTable of;

  @SuppressWarnings({"unused", "FieldCanBeLocal"}) // Unchanged reachable by this object.
  private final AddressPin slotHold;

  @SuppressWarnings({"unused", "FieldCanBeLocal"})
  private final AddressPin arenaHold;

  private final long table;
  private final long arena;
  private final long arenaWords;
  private final long slots;
  private final long seed;
  private final long multiplier;
  private final long endMultiplier;

  private volatile @Nullable AbsentStrings absent;

  /** Number of noted absent strings since the table has its present number of keys. */
  private final AtomicLong noted = new AtomicLong();

  private volatile long notedAt = -1;

  private TextReader(TextTable of, AddressPin slotHold, AddressPin arenaHold) {
    this.of = of;
    this.slotHold = slotHold;
    this.arenaHold = arenaHold;
    table = slotHold.payload();
    arena = arenaHold.payload();
    arenaWords = of.arena.length();
    slots = of.slots;
    seed = of.seed;
    multiplier = of.multiplier;
    endMultiplier = of.endMultiplier;
  }

  /** Returns a reader; null if a user's code compares keys, or the addresses cannot be held. */
  static @Nullable TextReader of(TextTable table) {
    AddressPin slots = table.slotMemory.addressPin();
    AddressPin arena = table.arenaMemory.addressPin();
    return table.hash != null || slots == null || arena == null
        ? null
        : new TextReader(table, slots, arena);
  }

  /** Returns the slot of a key, or a negative number. */
  public long find(byte[] key) {
    int length = key.length;
    return length <= ShortText.MOST
        ? find(ShortText.first(key, length), ShortText.second(key, length), length)
        : find(TextKey.in(key));
  }

  /** Returns the slot of a string; a string with half of a surrogate pair is absent. */
  public long find(String key) {
    if (isKnownAbsent(key)) {
      return NONE;
    }
    int length = key.length();
    long slot;
    if (length <= ShortText.MOST) {
      long first = ShortText.first(key, length);
      long second = ShortText.second(key, length);
      slot = (first | second) < 0 ? findOther(key) : find(first, second, length);
    } else {
      slot = findOther(key);
    }
    if (slot < 0) {
      note(key);
    }
    return slot;
  }

  /**
   * Returns whether a string is known to be absent. The number of keys shows that the known keys
   * are still all: no key that was inserted before this call is missed.
   */
  boolean isKnownAbsent(String key) {
    AbsentStrings known = absent;
    return known != null
        && known.have(key.hashCode())
        // volatile: not before the hash is read
        && of.taken() == known.validKeys();
  }

  private long findOther(String key) {
    TextKey sought = TextKey.lookedFor(key);
    return sought == null ? NONE : find(sought);
  }

  /** Returns the value of a slot with a found key. */
  public long value(long slot) {
    // seq_cst: as all accesses to values
    return AddressPin.getLongVolatile(table + slot * TextKey.SLOT_BYTES + TextKey.VALUE);
  }

  private long find(long first, long second, int length) {
    long hash = TextHashing.hash(first, second, length, seed, multiplier, endMultiplier);
    return find(first, second, length, hash);
  }

  private long find(long first, long second, int length, long hash) {
    long wanted = TextKey.head(MapCodes.FILLED, length);
    // All bits if there are two words: as in the hash, without a branch on the length.
    long both = (long) (TextLayout.INLINE_BYTES - length) >> (Long.SIZE - 1);
    long last = (second & both) | (first & ~both);
    long home = TextLayout.home(hash, slots);
    long slot = home;
    do {
      long at = table + slot * TextKey.SLOT_BYTES;
      // seq_cst: pairs with publish
      long head = AddressPin.getLongVolatile(at);
      if ((head & UNHELD) == wanted && AddressPin.getLong(at + TextKey.FIRST) == first) {
        long word = TextLayout.arenaWord(AddressPin.getLong(at + TextKey.MARK)) + 1;
        long inArena = arena + word * Long.BYTES;
        long place = (inArena & both) | ((at + TextKey.FIRST) & ~both);
        // The mark may be that of a longer or shorter key, if a rebuild reuses the memory.
        if ((word & both) < arenaWords && AddressPin.getLong(place) == last) {
          return slot;
        }
      }
      if (TextKey.state(head) == MapCodes.EMPTY) {
        return NONE;
      }
      slot = slot + 1 == slots ? 0 : slot + 1;
    } while (slot != home);
    return NONE;
  }

  /** Returns the slot of a key, or a negative number. */
  public long find(TextKey key) {
    byte[] bytes = key.bytes;
    if (bytes == null) {
      return find(key.first, key.word(1), key.length, key.hash(of));
    }
    long hash = key.hash(of);
    long wanted = TextKey.head(MapCodes.FILLED, key.length);
    long home = TextLayout.home(hash, slots);
    long slot = home;
    do {
      long at = table + slot * TextKey.SLOT_BYTES;
      // seq_cst: pairs with publish
      long head = AddressPin.getLongVolatile(at);
      if ((head & UNHELD) == wanted && isAt(AddressPin.getLong(at + TextKey.MARK), hash, bytes)) {
        return slot;
      }
      if (TextKey.state(head) == MapCodes.EMPTY) {
        return NONE;
      }
      slot = slot + 1 == slots ? 0 : slot + 1;
    } while (slot != home);
    return NONE;
  }

  private boolean isAt(long mark, long hash, byte[] bytes) {
    long from = TextLayout.arenaWord(mark);
    int length = bytes.length;
    if (!TextLayout.hasHash(mark, hash) || from + TextLayout.words(length) > arenaWords) {
      return false;
    }
    long there = arena + from * Long.BYTES;
    int at = 0;
    for (; at < length - Long.BYTES; at += Long.BYTES) {
      if (AddressPin.getLong(there + at) != ShortText.word(bytes, at)) {
        return false;
      }
    }
    return AddressPin.getLong(there + at) == ShortText.lastWord(bytes, at, length);
  }

  /**
   * Notes that a string was absent. After as many notes as slots, without new keys, all slots are
   * scanned, which takes less time than the unsuccessful searches did.
   */
  private void note(String key) {
    if (AbsentStrings.spread(key.hashCode()) >>> (Integer.SIZE - NOTED_BITS) != 0
        || noted.addAndGet(1 << NOTED_BITS) < slots) {
      return;
    }
    long keys = of.used();
    if (notedAt != keys) {
      notedAt = keys;
      noted.set(0);
    } else if (AbsentStrings.fits(keys) && noted.getAndSet(Long.MIN_VALUE / 2) >= slots) {
      // One thread at a time.
      AbsentStrings now = strings(keys);
      absent = now == null ? absent : now;
      noted.set(0);
    }
  }

  /**
   * Returns the set of absent strings; null if the number of keys differs, so that another key may
   * be anywhere.
   */
  private @Nullable AbsentStrings strings(long keys) {
    AbsentStrings.Builder builder = new AbsentStrings.Builder(keys);
    for (long slot = 0; slot < slots; slot++) {
      long at = table + slot * TextKey.SLOT_BYTES;
      // seq_cst: pairs with publish
      long head = AddressPin.getLongVolatile(at);
      if (MapCodes.isPresent(TextKey.state(head)) && !add(builder, at, TextKey.length(head))) {
        return null;
      }
    }
    return builder.build(of.used());
  }

  /**
   * Adds a key; returns false, without an effect, if its text is elsewhere, or too long to copy.
   */
  private boolean add(AbsentStrings.Builder builder, long at, int length) {
    long from = at + TextKey.FIRST;
    if (length > TextLayout.INLINE_BYTES) {
      long word = TextLayout.arenaWord(AddressPin.getLong(at + TextKey.MARK));
      if (word + TextLayout.words(length) > arenaWords) {
        return false;
      }
      from = arena + word * Long.BYTES;
    }
    int hash = 0;
    long all = 0;
    long word = 0;
    for (int i = 0; i < length; i++) {
      word = i % Long.BYTES == 0 ? AddressPin.getLong(from + i) : word >> Byte.SIZE;
      all |= word;
      hash = 31 * hash + (byte) word;
    }
    if ((all & BEYOND_ASCII) != 0) {
      if (length > MOST_COPIED) {
        return false;
      }
      byte[] bytes = new byte[length];
      for (int i = 0; i < length; i++) {
        long whole = AddressPin.getLong(from + (i & -Long.BYTES));
        bytes[i] = (byte) (whole >> (i % Long.BYTES * Byte.SIZE));
      }
      hash = new String(bytes, StandardCharsets.UTF_8).hashCode();
    }
    builder.add(hash);
    return true;
  }
}
