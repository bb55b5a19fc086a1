package dev.gyre.kernels;

import dev.gyre.atomics.Handle;
import dev.gyre.atomics.Internal;
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
 * Structure of a kernel: the tree of its records, whose leaves are handles and numbers.
 *
 * <p>A component of a kernel is a {@link Handle}, a {@link SharedHandle}, a number ({@code int},
 * {@code long}, {@code float}, {@code double}, {@code boolean}, {@code byte}), or a record of such
 * components. A record whose declared type is an interface is a <em>strategy</em>. Components are
 * visited in order, depth first.
 *
 * <p>Two kernels with equal {@linkplain #root trees} run the same code, on every target. Kernels
 * with different trees, such as another hash, have different code.
 *
 * @since 0.1.0
 */
@Internal
public final class KernelTree {

  /**
   * Largest number of handles and numbers of a kernel: a method of the JVM takes no more of the
   * widest type.
   */
  public static final int MOST_LEAVES = 120;

  private static final Set<Class<?>> NUMBERS =
      Set.of(int.class, long.class, float.class, double.class, boolean.class, byte.class);

  /** Node of the tree. */
  public sealed interface Node {
    /** Returns the class of the component; for a number its primitive type. */
    Class<?> type();
  }

  /**
   * Handle or number.
   *
   * @param type class of the handle, or a primitive type
   */
  public record Leaf(Class<?> type) implements Node {
    public boolean isNumber() {
      return type.isPrimitive();
    }
  }

  /**
   * Memory that the threads of a block share.
   *
   * @param type class of the handle
   * @param byteSize bytes per block
   */
  public record Shared(Class<?> type, long byteSize) implements Node {}

  /**
   * Record.
   *
   * @param type its class
   * @param components its components, in order
   */
  public record Branch(Class<? extends Record> type, List<Node> components) implements Node {
    /** Returns all handles and numbers below this record, in order. */
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

    /** Returns the shared memory of a block, in bytes. */
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

  /** Reflected parts of a record class. */
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

  /** Returns whether a class, or a class that its components declare, declares such a component. */
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
   * Returns the tree of a kernel.
   *
   * @throws KernelException if the kernel is not a record, or has an invalid component
   */
  public static KernelTree of(Kernel kernel) {
    if (!(kernel instanceof Record record)) {
      throw new KernelException(
          kernel.name(),
          "",
          "is not a record, so that its components are unknown; make it a record of "
              + "handles, numbers and other records");
    }
    return of(kernel.name(), record);
  }

  /**
   * Returns the tree of a record that is to be a part of kernels, such as a strategy.
   *
   * @throws KernelException if it is not a record, or has an invalid component
   */
  public static KernelTree of(Object part) {
    String name = part.getClass().getName();
    if (!(part instanceof Record record)) {
      throw new KernelException(name, "", "is not a record, so that its components are unknown");
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

  /**
   * Returns the path to the first record of a class; empty for the root, or if no record has this
   * class.
   */
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

  /**
   * Returns whether kernels of a class may have strategies: a component is declared as an
   * interface.
   */
  static boolean declaresStrategy(Class<?> type) {
    return DECLARES_STRATEGY.get(type);
  }

  /** Returns whether kernels of a class declare a ref. Others may have one in a strategy. */
  static boolean declaresRef(Class<?> type) {
    return DECLARES_REF.get(type);
  }

  /** Returns the name of the kernel. */
  String kernel() {
    return kernel;
  }

  /** Returns the leases of its refs, by their paths. */
  Map<String, Long> leases() {
    return leases;
  }

  /** Returns the tree of record classes, which is the key of cached code. */
  public Branch root() {
    return root;
  }

  /**
   * Returns the memories of the handles, in order.
   *
   * @throws KernelException if a handle has no memory
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

  /** Returns the paths to the components that are a handle, in order. */
  @SuppressWarnings("ReferenceEquality") // This handle, not an equal one.
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

  /** Returns the paths to the leaves, in order. */
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
   * Returns the numbers, in order, as a block of parameters stores them: integers by value, {@code
   * false} and {@code true} as 0 and 1, others by their bits.
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
   * Returns the tree of a kernel whose blocks share memory, otherwise null.
   *
   * @return null also for a kernel that cannot run on devices
   */
  static @Nullable KernelTree sharing(Kernel kernel) {
    if (!MAY_SHARE.get(kernel.getClass())) {
      return null;
    }
    try {
      KernelTree tree = of(kernel);
      return tree.root.sharedBytes() > 0 ? tree : null;
    } catch (KernelException e) {
      // The JVM runs it nevertheless.
      return null;
    }
  }

  /** Returns the kernel for one block, with the block's shared memory. */
  Kernel inBlock(UnaryOperator<SharedHandle> memory) {
    List<Object> own = new ArrayList<>();
    for (Object value : values) {
      own.add(value instanceof SharedHandle shared ? memory.apply(shared) : value);
    }
    return (Kernel) rebuild(root, own.iterator(), UnaryOperator.identity());
  }

  /**
   * Returns the record rebuilt with other classes that have the same components.
   *
   * @param classes the replacement of each class in the tree
   */
  Object remake(UnaryOperator<Class<?>> classes) {
    return rebuild(root, values.iterator(), classes);
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
      throw new LinkageError(type + " is not a record class", e);
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

  /** Walk over a kernel. */
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
                      "is a %s, an enum, which devices do not support; use a number, such as "
                          + "ordinal()",
                      constant.getDeclaringClass())
                  : refusal(
                      "is a %s, which is not a handle, a primitive number or a record",
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
        throw refusal("is a %s, which its module does not open to dev.gyre.kernels", type);
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
