package dev.gyre.kernels;

import dev.gyre.atomics.Internal;
import dev.gyre.kernels.KernelTree.Branch;
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Specialises the code of a kernel for its record classes, on the JVM.
 *
 * <p>HotSpot keeps one profile per method, for all receivers. A loop over slots that has seen
 * several hashes no longer inlines any of them. Therefore a kernel with strategies runs as a copy:
 * its classes are defined again, from the same bytes, for the tree of its record classes. Copied
 * are the classes that {@code run} reaches; see {@link ClassClosure}. Handles, kernel interfaces
 * and the JDK are not copied.
 *
 * <p>Copies are shared by all launchers, and kept while memory allows and their classes are loaded.
 * Their stack traces name the same classes, lines and methods.
 *
 * @since 0.1.0
 */
@Internal
public final class SpecializedCode {

  /** Copies for the trees whose {@link #home} is a class. */
  private static final ClassValue<OfClass> KEPT =
      new ClassValue<>() {
        @Override
        protected OfClass computeValue(Class<?> type) {
          return new OfClass();
        }
      };

  /**
   * The first tree among the trees that share code. Its home keeps it, and it is unloaded with that
   * class.
   */
  private static final ClassValue<AtomicReference<WeakReference<@Nullable Branch>>> FIRST =
      new ClassValue<>() {
        @Override
        protected AtomicReference<WeakReference<@Nullable Branch>> computeValue(Class<?> type) {
          return new AtomicReference<>(new WeakReference<>(null));
        }
      };

  private record Called(Class<?> type, Branch tree) {}

  /** Guarded by the class {@code SpecializedCode}. */
  private static final class OfClass {
    final Map<Called, SoftReference<Copy>> copies = new HashMap<>();
    final List<Branch> firsts = new ArrayList<>();
  }

  /** Copied classes of a tree, or the reason why they cannot be copied. */
  private static final class Copy {
    private final Map<Class<?>, Class<?>> classes;
    private final Set<ClassClosure.Constant> constants;

    /** Empty: no problem; null: the constants were not compared yet. */
    private volatile @Nullable String problem;

    /** The component with the problem, if it is one. */
    private final String component;

    Copy(Map<Class<?>, Class<?>> classes, Set<ClassClosure.Constant> constants) {
      this.classes = classes;
      this.constants = constants;
      this.problem = constants.isEmpty() ? "" : null;
      this.component = "";
    }

    /** Creates a copy that failed. */
    Copy(String problem, String component) {
      this.classes = Map.of();
      this.constants = Set.of();
      this.problem = problem;
      this.component = component;
    }

    /** Called without the lock, because initialisers of users' classes run. */
    String problem() {
      String known = problem;
      if (known == null) {
        known =
            constants.stream()
                .map(c -> differing(c, classes.get(c.holder())))
                .filter(p -> !p.isEmpty())
                .findFirst()
                .orElse("");
        problem = known;
      }
      return known;
    }

    /**
     * Returns the difference of a constant in a copy, whose initialiser may depend on chance or
     * time.
     */
    private static String differing(ClassClosure.Constant constant, @Nullable Class<?> copy) {
      if (copy == null) {
        return "";
      }
      try {
        Field before = constant.holder().getDeclaredField(constant.name());
        Field after = copy.getDeclaredField(constant.name());
        boolean differ =
            before.trySetAccessible()
                && after.trySetAccessible()
                && !Objects.deepEquals(before.get(null), after.get(null));
        return differ
            ? "it reaches %s.%s, which is another value each time that its class is initialised"
                .formatted(constant.holder().getName(), constant.name())
            : "";
      } catch (ReflectiveOperationException | LinkageError e) {
        return e.toString();
      }
    }
  }

  /** Class loader of the copies; all other classes are the same as for the originals. */
  private static final class Copies extends ClassLoader {
    private final ClassClosure reached;

    Copies(ClassClosure reached, ClassLoader parent) {
      super("copies of " + reached.root().getName(), parent);
      this.reached = reached;
      reached.modules().forEach(this::open);
    }

    /**
     * Opens to the copies, which are in an unnamed module, what a module opens to this one: copies
     * may name classes of packages that are not exported.
     */
    private void open(Module module) {
      for (String name : module.getPackages()) {
        if (module.isOpen(name, SpecializedCode.class.getModule())) {
          module.addOpens(name, getUnnamedModule());
        }
      }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      synchronized (getClassLoadingLock(name)) {
        Class<?> original = reached.original(name);
        byte[] bytes = original == null ? null : reached.bytes(original);
        if (original == null) {
          return super.loadClass(name, resolve);
        }
        if (bytes == null) {
          return original;
        }
        Class<?> copy = findLoadedClass(name);
        return copy != null
            ? copy
            : defineClass(name, bytes, 0, bytes.length, original.getProtectionDomain());
      }
    }
  }

  private SpecializedCode() {}

  /**
   * Returns an equivalent kernel in specialised code.
   *
   * @throws KernelException if its code cannot be specialised; the message says why
   */
  public static Kernel of(Kernel kernel) {
    return of(Kernel.class, kernel, KernelTree.of(kernel), kernel.name());
  }

  /**
   * Returns an equivalent record in specialised code, for calls by an interface. Kernels that it
   * creates are specialised too.
   *
   * @param type the public interface; its parameter and result types are not copied
   * @param record a record that implements it, with the components of a kernel
   * @throws KernelException if its code cannot be specialised; the message says why
   */
  public static <T> T of(Class<T> type, T record) {
    return of(type, record, KernelTree.of(record), record.getClass().getName());
  }

  /**
   * Returns an equivalent record whose code no other tree of records runs, within a group. The
   * first tree of a group uses the original classes, which saves the cost of a copy.
   *
   * @param type as in {@link #of(Class, Object)}
   * @param record as in {@link #of(Class, Object)}
   * @param shared identifies the group
   * @throws KernelException if its code cannot be specialised; the message says why
   */
  public static <T> T apart(Class<T> type, T record, Class<?> shared) {
    KernelTree tree = KernelTree.of(record);
    return tree.root().equals(first(shared, tree.root()))
        ? record
        : of(type, record, tree, record.getClass().getName());
  }

  /**
   * Throws if a record cannot be specialised as a part of kernels, so that a user learns it where
   * the record is set.
   *
   * @param type an interface with the methods that kernels call
   * @throws KernelException if its code cannot be specialised, or kernels cannot contain it; the
   *     message says why
   */
  public static <T> void require(Class<T> type, T record) {
    Branch tree = KernelTree.of(record).root();
    try {
      var _ = ClassClosure.of(type, tree);
    } catch (CannotCopyException e) {
      throw refusal(record.getClass().getName(), e.component(tree), e.problem());
    }
  }

  private static KernelException refusal(String name, String component, String problem) {
    return new KernelException(name, component, "cannot have code of its own: " + problem);
  }

  private static <T> T of(Class<T> type, T record, KernelTree tree, String name) {
    if (record.getClass().getClassLoader() instanceof Copies) {
      return record;
    }
    Copy copy = copy(type, tree.root());
    String problem = copy.problem();
    if (!problem.isEmpty()) {
      throw refusal(name, copy.component, problem);
    }
    return type.cast(tree.remake(c -> copy.classes.getOrDefault(c, c)));
  }

  /**
   * Returns a specialised copy of a kernel if its tree has strategies and can be copied, otherwise
   * the kernel.
   *
   * @throws StaleRefException as {@link Lease#require}
   * @throws KernelException if a kernel has a ref together with components that devices do not
   *     support
   */
  static Kernel orShared(Kernel kernel) {
    boolean hasRef = KernelTree.declaresRef(kernel.getClass());
    boolean hasStrategy = KernelTree.declaresStrategy(kernel.getClass());
    if (!hasRef && !hasStrategy) {
      return kernel;
    }
    KernelTree tree;
    try {
      tree = KernelTree.of(kernel);
    } catch (KernelException e) {
      if (hasRef) {
        throw e;
      }
      // Shared code works as well, and is slower.
      return kernel;
    }
    Lease.require(tree);
    try {
      return hasStrategy ? of(Kernel.class, kernel, tree, kernel.name()) : kernel;
    } catch (KernelException e) {
      return kernel;
    }
  }

  private static synchronized Branch first(Class<?> shared, Branch tree) {
    var held = FIRST.get(shared);
    Branch first = held.get().get();
    if (first == null) {
      first = tree;
      KEPT.get(home(tree.type(), tree)).firsts.add(tree);
      held.set(new WeakReference<>(tree));
    }
    return first;
  }

  private static synchronized Copy copy(Class<?> type, Branch tree) {
    var copies = KEPT.get(home(type, tree)).copies;
    Called key = new Called(type, tree);
    SoftReference<Copy> kept = copies.get(key);
    Copy copy = kept == null ? null : kept.get();
    if (copy == null) {
      copy = define(type, tree);
      copies.put(key, new SoftReference<>(copy));
    }
    return copy;
  }

  /**
   * Returns the class that owns the copies of a tree: one whose loader is a descendant of the
   * others'. So an unloaded application leaves no copies behind.
   */
  private static Class<?> home(Class<?> known, Branch tree) {
    Class<?> home =
        sees(tree.type().getClassLoader(), known.getClassLoader()) ? tree.type() : known;
    for (KernelTree.Node component : tree.components()) {
      if (component instanceof Branch branch) {
        home = home(home, branch);
      }
    }
    return home;
  }

  // Loaders are compared by identity.
  @SuppressWarnings("ReferenceEquality")
  private static boolean sees(@Nullable ClassLoader loader, @Nullable ClassLoader other) {
    ClassLoader at = loader;
    while (at != null && at != other) {
      at = at.getParent();
    }
    return at == other;
  }

  private static Copy define(Class<?> type, Branch tree) {
    try {
      ClassClosure reached = ClassClosure.of(type, tree);
      Copies copies = new Copies(reached, reached.root().getClassLoader());
      Map<Class<?>, Class<?>> classes = new HashMap<>();
      for (Class<?> original : reached.copied()) {
        classes.put(original, copies.loadClass(original.getName()));
      }
      return new Copy(Map.copyOf(classes), reached.constants());
    } catch (CannotCopyException e) {
      return new Copy(e.problem(), e.component(tree));
    } catch (ClassNotFoundException | LinkageError e) {
      return new Copy(e.toString(), "");
    }
  }

  /** Thrown if a class cannot be copied. */
  static final class CannotCopyException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String problem;

    /** The class with the problem. */
    private final transient @Nullable Class<?> where;

    CannotCopyException(String problem, @Nullable Throwable cause) {
      super(problem, cause);
      this.problem = problem;
      this.where = null;
    }

    CannotCopyException(Class<?> where, String problem) {
      super(problem);
      this.problem = problem;
      this.where = where;
    }

    /**
     * Returns the path to the record with the problem; empty if it is not a record, or the root.
     */
    String component(Branch tree) {
      return where == null ? "" : KernelTree.path(tree, where);
    }

    String problem() {
      return problem;
    }
  }
}
