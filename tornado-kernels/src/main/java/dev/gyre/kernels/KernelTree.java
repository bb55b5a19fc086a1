package dev.gyre.kernels;

import dev.gyre.atomics.Handle;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.SharedHandle;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A kernel taken apart: the tree of its records, and the handles and numbers that are its leaves.
 *
 * <p>A component of a kernel is a {@link Handle}, a {@link SharedHandle}, a number ({@code int},
 * {@code long}, {@code float}, {@code double}, {@code boolean}, {@code byte}), or a record of such
 * components. A record may be declared as an interface that it implements: it is a
 * <em>strategy</em> then. Components are walked in their order, each record's before what follows
 * it.
 *
 * <p>Two kernels whose {@linkplain #root trees} are equal run the same code, on every target; those
 * of other trees, such as one with another hash, have other code.
 */
public final class KernelTree {

  /** Most handles and numbers of a kernel: a method of the JVM takes no more of the widest. */
  public static final int MOST_LEAVES = 120;

  private static final Set<Class<?>> NUMBERS =
      Set.of(int.class, long.class, float.class, double.class, boolean.class, byte.class);

  /** A place in the tree. */
  public sealed interface Node {
    /** The class of what stands there; for a number its primitive type. */
    Class<?> type();
  }

  /**
   * A handle or a number.
   *
   * @param type the handle's class, or a primitive type
   */
  public record Leaf(Class<?> type) implements Node {
    public boolean isNumber() {
      return type.isPrimitive();
    }
  }

  /**
   * Memory that the threads of a block share.
   *
   * @param type the handle's class
   * @param byteSize how much of it a block has, in bytes
   */
  public record Shared(Class<?> type, long byteSize) implements Node {}

  /**
   * A record.
   *
   * @param type its class
   * @param components what it is made of, in order
   */
  public record Branch(Class<? extends Record> type, List<Node> components) implements Node {
    /** The handles and numbers of this record and those in it, in order. */
    public List<Leaf> leaves() {
      List<Leaf> leaves = new ArrayList<>();
      for (Node component : components) {
        switch (component) {
          case Leaf leaf -> leaves.add(leaf);
          case Branch branch -> leaves.addAll(branch.leaves());
          case Shared _ -> {}
        }
      }
      return leaves;
    }

    /** How much memory a block shares, in bytes. */
    public long sharedBytes() {
      long bytes = 0;
      for (Node component : components) {
        bytes +=
            switch (component) {
              case Leaf _ -> 0;
              case Branch branch -> branch.sharedBytes();
              case Shared shared -> Math.ceilDiv(shared.byteSize(), Long.BYTES) * Long.BYTES;
            };
      }
      return bytes;
    }
  }

  /** What reflection knows of a record class. */
  private record Parts(List<Field> fields, Constructor<?> maker) {}

  private static final ClassValue<Parts> PARTS =
      new ClassValue<>() {
        @Override
        protected Parts computeValue(Class<?> type) {
          return partsOf(type);
        }
      };

  private static final ClassValue<Boolean> DECLARES_STRATEGY = declaring(KernelTree::isStrategy);

  private static final ClassValue<Boolean> MAY_SHARE =
      declaring(c -> isStrategy(c) || SharedHandle.class.isAssignableFrom(c));

  private static final ClassValue<Boolean> DECLARES_REF = declaring(Ref.class::isAssignableFrom);

  /** Whether a class, or one of those that its components declare, declares such a component. */
  private static ClassValue<Boolean> declaring(Predicate<Class<?>> what) {
    return new ClassValue<>() {
      @Override
      protected Boolean computeValue(Class<?> type) {
        return declares(what, type, new ArrayDeque<>());
      }
    };
  }

  private final String kernel;
  private final Branch root;
  private final List<Object> values;
  private final Map<String, Long> leases;

  private KernelTree(String kernel, Branch root, Walk walk) {
    this.kernel = kernel;
    this.root = root;
    this.values = walk.values;
    this.leases = walk.leases;
  }

  /**
   * Takes a kernel apart.
   *
   * @throws KernelException if it is no record, or a component is not what kernels are made of
   */
  public static KernelTree of(Kernel kernel) {
    if (!(kernel instanceof Record record)) {
      throw new KernelException(
          kernel.name(),
          "",
          "is no record, so that its components are not known; make it a record of handles, numbers"
              + " and other records");
    }
    return of(kernel.name(), record);
  }

  /**
   * Takes a record apart that is to be a part of kernels, such as a strategy.
   *
   * @throws KernelException if it is no record, or a component is not what kernels are made of
   */
  public static KernelTree of(Object part) {
    String name = part.getClass().getName();
    if (!(part instanceof Record record)) {
      throw new KernelException(name, "", "is no record, so that its components are not known");
    }
    return of(name, record);
  }

  private static KernelTree of(String name, Record record) {
    Walk walk = new Walk(name);
    Branch root = walk.branch(record);
    if (walk.values.size() > MOST_LEAVES) {
      throw new KernelException(
          name,
          "",
          "has %d handles and numbers, of %d at most".formatted(walk.values.size(), MOST_LEAVES));
    }
    return new KernelTree(name, root, walk);
  }

  /** The path to the first record of a class; empty for the root, and where there is none. */
  static String path(Branch branch, Class<?> type) {
    String found = "";
    for (int i = 0; i < branch.components().size() && found.isEmpty(); i++) {
      if (branch.components().get(i) instanceof Branch inner) {
        String name = branch.type().getRecordComponents()[i].getName();
        String further = path(inner, type);
        found = !further.isEmpty() ? name + "." + further : inner.type().equals(type) ? name : "";
      }
    }
    return found;
  }

  /** Whether kernels of a class may have strategies: a component is declared as an interface. */
  static boolean declaresStrategy(Class<?> type) {
    return DECLARES_STRATEGY.get(type);
  }

  /** Whether kernels of a class have a ref. Others may have one behind a strategy. */
  static boolean declaresRef(Class<?> type) {
    return DECLARES_REF.get(type);
  }

  /** Name of the kernel. */
  String kernel() {
    return kernel;
  }

  /** The leases of its refs, by the paths to those. */
  Map<String, Long> leases() {
    return leases;
  }

  /** The tree of record classes, by which code is kept. */
  public Branch root() {
    return root;
  }

  /**
   * The memories of the handles, in order.
   *
   * @throws KernelException if a handle has none
   */
  public List<Memory> memories() {
    List<Memory> memories = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      if (values.get(i) instanceof Handle handle) {
        Memory memory = handle.memory();
        if (memory == null) {
          throw new KernelException(
              kernel,
              paths(root, "").get(i),
              "is a segment; a device can only be given a handle of a Memory");
        }
        memories.add(memory);
      }
    }
    return memories;
  }

  /** The paths to the components that are a handle, in order. */
  @SuppressWarnings("ReferenceEquality") // That handle, not an equal one.
  List<String> pathsTo(Object handle) {
    List<String> all = paths(root, "");
    List<String> found = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      if (values.get(i) == handle) {
        found.add(all.get(i));
      }
    }
    return found;
  }

  /** The paths to the leaves, in order. */
  private static List<String> paths(Branch branch, String path) {
    List<String> paths = new ArrayList<>();
    for (int i = 0; i < branch.components().size(); i++) {
      String name = path + branch.type().getRecordComponents()[i].getName();
      switch (branch.components().get(i)) {
        case Leaf _, Shared _ -> paths.add(name);
        case Branch inner -> paths.addAll(paths(inner, name + "."));
      }
    }
    return paths;
  }

  /**
   * The numbers, in order, as a block of parameters holds them: whole numbers by their value,
   * {@code false} and {@code true} as 0 and 1, others by their bits.
   */
  public List<Long> numbers() {
    List<Long> numbers = new ArrayList<>();
    for (Object value : values) {
      switch (value) {
        case Float f -> numbers.add((long) Float.floatToRawIntBits(f));
        case Double d -> numbers.add(Double.doubleToRawLongBits(d));
        case Boolean b -> numbers.add(b ? 1L : 0L);
        case Number n -> numbers.add(n.longValue());
        default -> {}
      }
    }
    return numbers;
  }

  /**
   * The tree of a kernel whose blocks share memory; null where there is none.
   *
   * @return null also for what is no kernel for devices, and so has none
   */
  static @Nullable KernelTree sharing(Kernel kernel) {
    if (!MAY_SHARE.get(kernel.getClass())) {
      return null;
    }
    try {
      KernelTree tree = of(kernel);
      return tree.root.sharedBytes() > 0 ? tree : null;
    } catch (KernelException e) {
      // The JVM runs it all the same.
      return null;
    }
  }

  /** Makes the kernel anew for one block, with memory of its own. */
  Kernel inBlock(UnaryOperator<SharedHandle> memory) {
    List<Object> own = new ArrayList<>();
    for (Object value : values) {
      own.add(value instanceof SharedHandle shared ? memory.apply(shared) : value);
    }
    return (Kernel) rebuild(root, own.iterator(), UnaryOperator.identity());
  }

  /**
   * Makes the record anew, of other classes with the same components.
   *
   * @param classes the class to take in place of each in the tree
   */
  Object remake(UnaryOperator<Class<?>> classes) {
    return rebuild(root, values.iterator(), classes);
  }

  /** {@link #remake}, of a kernel. */
  Kernel rebuild(UnaryOperator<Class<?>> classes) {
    return (Kernel) remake(classes);
  }

  private static Object rebuild(
      Node node, Iterator<Object> values, UnaryOperator<Class<?>> classes) {
    if (!(node instanceof Branch branch)) {
      return values.next();
    }
    Object[] arguments =
        branch.components().stream().map(c -> rebuild(c, values, classes)).toArray();
    try {
      return PARTS.get(classes.apply(branch.type())).maker().newInstance(arguments);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("cannot make " + branch.type().getName() + " anew", e);
    }
  }

  private static Parts partsOf(Class<?> type) {
    RecordComponent[] components = type.getRecordComponents();
    List<Field> fields = new ArrayList<>();
    Class<?>[] types = new Class<?>[components.length];
    try {
      for (int i = 0; i < components.length; i++) {
        fields.add(open(type.getDeclaredField(components[i].getName())));
        types[i] = components[i].getType();
      }
      return new Parts(fields, open(type.getDeclaredConstructor(types)));
    } catch (NoSuchFieldException | NoSuchMethodException e) {
      throw new LinkageError(type + " is no record class", e);
    }
  }

  private static <T extends AccessibleObject> T open(T member) {
    member.setAccessible(true);
    return member;
  }

  private static boolean declares(Predicate<Class<?>> what, Class<?> type, Deque<Class<?>> above) {
    boolean found = false;
    if (type.isRecord() && !above.contains(type)) {
      above.push(type);
      for (RecordComponent c : type.getRecordComponents()) {
        Class<?> declared = c.getType();
        found |= what.test(declared) || declares(what, declared, above);
      }
      above.pop();
    }
    return found;
  }

  private static boolean isStrategy(Class<?> declared) {
    return declared.isInterface() && declared != Handle.class && declared != SharedHandle.class;
  }

  /** One walk over a kernel. */
  private static final class Walk {

    private final String kernel;
    private final List<Object> values = new ArrayList<>();
    private final Map<String, Long> leases = new LinkedHashMap<>();
    private final Deque<Class<?>> above = new ArrayDeque<>();
    private final Deque<String> path = new ArrayDeque<>();

    Walk(String kernel) {
      this.kernel = kernel;
    }

    Branch branch(Record record) {
      Class<? extends Record> type = record.getClass();
      if (above.contains(type)) {
        throw refusal("is a %s inside of another, and no tree has an end then", type);
      }
      if (record instanceof Ref ref) {
        leases.put(String.join(".", path), ref.lease());
      }
      above.push(type);
      List<Node> nodes = new ArrayList<>();
      for (Field field : parts(type).fields()) {
        path.addLast(field.getName());
        nodes.add(node(field.getType(), value(field, record)));
        path.removeLast();
      }
      above.pop();
      return new Branch(type, List.copyOf(nodes));
    }

    private Node node(Class<?> declared, @Nullable Object value) {
      return switch (value) {
        case null -> throw refusal("of type %s is null", declared);
        case Handle handle -> leaf(handle.getClass(), handle);
        case SharedHandle shared -> {
          values.add(shared);
          yield new Shared(shared.getClass(), shared.byteSize());
        }
        case Record inner -> branch(inner);
        default -> {
          if (declared.isPrimitive() && NUMBERS.contains(declared)) {
            yield leaf(declared, value);
          }
          throw declared.isPrimitive()
              ? refusal("is a %s; of numbers a kernel has " + numberNames(), declared)
              : value instanceof Enum<?> constant
                  ? refusal(
                      "is a %s, an enum, which no device has; give it a number, such as ordinal()",
                      constant.getDeclaringClass())
                  : refusal(
                      "is a %s, which is no handle, no primitive number and no record",
                      value.getClass());
        }
      };
    }

    private Leaf leaf(Class<?> type, Object value) {
      values.add(value);
      return new Leaf(type);
    }

    private Parts parts(Class<?> type) {
      try {
        return PARTS.get(type);
      } catch (InaccessibleObjectException e) {
        throw refusal("is a %s, which its module does not open", type);
      }
    }

    private static @Nullable Object value(Field field, Record record) {
      try {
        return field.get(record);
      } catch (IllegalAccessException e) {
        throw new LinkageError("was made accessible: " + field, e);
      }
    }

    private KernelException refusal(String problem, Class<?> type) {
      return new KernelException(kernel, String.join(".", path), problem.formatted(type.getName()));
    }

    private static String numberNames() {
      return "int, long, float, double, boolean and byte";
    }
  }
}
