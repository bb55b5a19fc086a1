package dev.gyre.structures.map.table;

import dev.gyre.atomics.Hold;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.ShortText;
import dev.gyre.kernels.map.TextHashing;
import dev.gyre.kernels.map.TextLayout;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Looks up single texts in a table by its addresses, beside all else that goes on in it, as {@link
 * dev.gyre.kernels.map.owned.KeyReader} does numbers: who asked keeps this reachable until the end,
 * and sees then whether that table is still in place. Accesses are those of {@link TextKey}.
 *
 * <p>Where a table has rested for a while, strings that are not there are mostly known by the hash
 * that they keep, {@link AbsentStrings}, and neither their text nor the table is read.
 */
public final class TextReader {

  /** In place of a slot: the key is not in the table. */
  private static final long NONE = TextKey.NONE;

  /** Of two to that absent strings, one is noted: all threads note them in one place. */
  private static final int NOTED_BITS = 6;

  private static final long BEYOND_ASCII = 0x8080_8080_8080_8080L;

  /** Bytes of a text with others than ASCII that is copied. */
  private static final int MOST_COPIED = 1 << 12;

  private final TextTable of;

  @SuppressWarnings({"unused", "FieldCanBeLocal"}) // Reachable as long as this is.
  private final Hold slotHold;

  @SuppressWarnings({"unused", "FieldCanBeLocal"})
  private final Hold arenaHold;

  private final long table;
  private final long arena;
  private final long arenaWords;
  private final long slots;
  private final long seed;
  private final long multiplier;
  private final long endMultiplier;

  private volatile @Nullable AbsentStrings absent;

  /** Strings that were searched for in vain since the table had as many keys as now. */
  private final AtomicLong noted = new AtomicLong();

  private volatile long notedAt = -1;

  private TextReader(TextTable of, Hold slotHold, Hold arenaHold) {
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

  /** Null where keys are compared by a user's code, or the addresses cannot be held. */
  static @Nullable TextReader of(TextTable table) {
    Hold slots = table.slotMemory.hold();
    Hold arena = table.arenaMemory.hold();
    return table.hash != null || slots == null || arena == null
        ? null
        : new TextReader(table, slots, arena);
  }

  /** The slot where a key is, or a negative number. */
  public long find(byte[] key) {
    int length = key.length;
    return length <= ShortText.MOST
        ? find(ShortText.first(key, length), ShortText.second(key, length), length)
        : find(TextKey.of(key));
  }

  /** The same of a string; half of a surrogate pair is in no key. */
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
   * Whether a string is known not to be there. The number of keys, which no key comes without, says
   * that those are still all: none that was inserted before this began is missed.
   */
  boolean isKnownAbsent(String key) {
    AbsentStrings known = absent;
    return known != null
        && known.have(key.hashCode())
        // volatile: not before the hash is asked for
        && of.taken() == known.beside();
  }

  private long findOther(String key) {
    TextKey sought = TextKey.lookedFor(key);
    return sought == null ? NONE : find(sought);
  }

  /** The value of a slot where a key was found. */
  public long value(long slot) {
    // seq_cst: as all accesses to values
    return Hold.getLongVolatile(table + slot * TextKey.SLOT_BYTES + TextKey.VALUE);
  }

  private long find(long first, long second, int length) {
    long hash = TextHashing.hash(first, second, length, seed, multiplier, endMultiplier);
    long wanted = TextKey.head(MapCodes.FILLED, length);
    // All bits where there are two words: as in the hash, no branch on the length.
    long both = (long) (TextLayout.INLINE_BYTES - length) >> (Long.SIZE - 1);
    long last = (second & both) | (first & ~both);
    long home = TextLayout.home(hash, slots);
    long slot = home;
    do {
      long at = table + slot * TextKey.SLOT_BYTES;
      // seq_cst: pairs with publish
      long head = Hold.getLongVolatile(at);
      if (head == wanted && Hold.getLong(at + TextKey.FIRST) == first) {
        long word = TextLayout.arenaWord(Hold.getLong(at + TextKey.MARK)) + 1;
        long inArena = arena + word * Long.BYTES;
        long place = (inArena & both) | ((at + TextKey.FIRST) & ~both);
        // Where the arena has grown, there may be slots for a later one than this.
        if ((word & both) < arenaWords && Hold.getLong(place) == last) {
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

  private long find(TextKey key) {
    long[] words = key.words;
    if (words == null) {
      return find(key.first, key.second, key.length);
    }
    long hash = TextHashing.hash(words, key.length, seed, multiplier, endMultiplier);
    long wanted = TextKey.head(MapCodes.FILLED, key.length);
    long home = TextLayout.home(hash, slots);
    long slot = home;
    do {
      long at = table + slot * TextKey.SLOT_BYTES;
      // seq_cst: pairs with publish
      long head = Hold.getLongVolatile(at);
      if (head == wanted && isAt(Hold.getLong(at + TextKey.MARK), hash, words)) {
        return slot;
      }
      if (TextKey.state(head) == MapCodes.EMPTY) {
        return NONE;
      }
      slot = slot + 1 == slots ? 0 : slot + 1;
    } while (slot != home);
    return NONE;
  }

  private boolean isAt(long mark, long hash, long[] words) {
    long from = TextLayout.arenaWord(mark);
    boolean same = TextLayout.hasHash(mark, hash) && from + words.length <= arenaWords;
    for (int word = 0; same && word < words.length; word++) {
      same = Hold.getLong(arena + (from + word) * Long.BYTES) == words[word];
    }
    return same;
  }

  /**
   * Notes that a string was searched for in vain. Once as many were as there are slots, with no
   * keys taken in meanwhile, all slots are looked through, which takes less time than that did.
   */
  private void note(String key) {
    if (AbsentStrings.spread(key.hashCode()) >>> (Integer.SIZE - NOTED_BITS) != 0
        || noted.addAndGet(1 << NOTED_BITS) < slots) {
      return;
    }
    long keys = of.size();
    if (notedAt != keys) {
      notedAt = keys;
      noted.set(0);
    } else if (AbsentStrings.fits(keys) && noted.getAndSet(Long.MIN_VALUE / 2) >= slots) {
      // By one thread only, until it is done.
      AbsentStrings now = strings(keys);
      absent = now == null ? absent : now;
      noted.set(0);
    }
  }

  /** Null where there are not just as many keys, so that one more may be anywhere. */
  private @Nullable AbsentStrings strings(long keys) {
    AbsentStrings.Builder builder = new AbsentStrings.Builder(keys);
    for (long slot = 0; slot < slots; slot++) {
      long at = table + slot * TextKey.SLOT_BYTES;
      // seq_cst: pairs with publish
      long head = Hold.getLongVolatile(at);
      if (TextKey.state(head) == MapCodes.FILLED && !add(builder, at, TextKey.length(head))) {
        return null;
      }
    }
    return builder.build(of.size());
  }

  /** Returns false, having done nothing, where a text is elsewhere, or too long to be copied. */
  private boolean add(AbsentStrings.Builder builder, long at, int length) {
    long from = at + TextKey.FIRST;
    if (length > TextLayout.INLINE_BYTES) {
      long word = TextLayout.arenaWord(Hold.getLong(at + TextKey.MARK));
      if (word + TextLayout.words(length) > arenaWords) {
        return false;
      }
      from = arena + word * Long.BYTES;
    }
    int hash = 0;
    long all = 0;
    long word = 0;
    for (int i = 0; i < length; i++) {
      word = i % Long.BYTES == 0 ? Hold.getLong(from + i) : word >> Byte.SIZE;
      all |= word;
      hash = 31 * hash + (byte) word;
    }
    if ((all & BEYOND_ASCII) != 0) {
      if (length > MOST_COPIED) {
        return false;
      }
      byte[] bytes = new byte[length];
      for (int i = 0; i < length; i++) {
        long whole = Hold.getLong(from + (i & -Long.BYTES));
        bytes[i] = (byte) (whole >> (i % Long.BYTES * Byte.SIZE));
      }
      hash = new String(bytes, StandardCharsets.UTF_8).hashCode();
    }
    builder.add(hash);
    return true;
  }
}
