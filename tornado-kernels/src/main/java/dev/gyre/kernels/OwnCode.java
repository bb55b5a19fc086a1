package dev.gyre.kernels;

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
 * Code of its own, on the JVM, for each combination of a kernel's records.
 *
 * <p>HotSpot keeps one profile per method, whatever it is called on: a loop over slots that has
 * seen several hashes no longer inlines any of them. So a kernel with strategies runs as a copy, in
 * classes that are defined anew, from the same bytes, for the tree of its record classes: other
 * classes have other profiles. Copied is what the kernel's {@code run} reaches of the classes that
 * it comes with, see {@link ReachedClasses}; of handles, kernels and the JDK there is one each.
 *
 * <p>Copies are kept as long as memory allows and their classes are loaded, for all launchers.
 * Their stack traces name the same classes, lines and methods.
 */
public final class OwnCode {

  /** What is kept of the trees that have a class for their {@link #home}. */
  private static final ClassValue<OfClass> KEPT =
      new ClassValue<>() {
        @Override
        protected OfClass computeValue(Class<?> type) {
          return new OfClass();
        }
      };

  /** The first tree of those that share code; it is kept by its home, and unloaded with that. */
  private static final ClassValue<AtomicReference<WeakReference<@Nullable Branch>>> FIRST =
      new ClassValue<>() {
        @Override
        protected AtomicReference<WeakReference<@Nullable Branch>> computeValue(Class<?> type) {
          return new AtomicReference<>(new WeakReference<>(null));
        }
      };

  private record Called(Class<?> type, Branch tree) {}

  /** Guarded by the class {@code OwnCode}. */
  private static final class OfClass {
    final Map<Called, SoftReference<Copy>> copies = new HashMap<>();
    final List<Branch> firsts = new ArrayList<>();
  }

  /** The classes of a tree anew, or why they cannot be. */
  private static final class Copy {
    private final Map<Class<?>, Class<?>> classes;
    private final Set<ReachedClasses.Constant> constants;

    /** Empty: none; null: whether the constants are the same was not asked yet. */
    private volatile @Nullable String problem;

    /** The component that has the problem, where one has. */
    private final String component;

    Copy(Map<Class<?>, Class<?>> classes, Set<ReachedClasses.Constant> constants) {
      this.classes = classes;
      this.constants = constants;
      this.problem = constants.isEmpty() ? "" : null;
      this.component = "";
    }

    /** None. */
    Copy(String problem, String component) {
      this.classes = Map.of();
      this.constants = Set.of();
      this.problem = problem;
      this.component = component;
    }

    /** Asked without the lock: initialisers of users' classes run. */
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

    /** What an initialiser finds by chance, or by the time, must not be another value in a copy. */
    private static String differing(ReachedClasses.Constant constant, @Nullable Class<?> copy) {
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

  /** Defines the copies; all else is what the originals see. */
  private static final class Copies extends ClassLoader {
    private final ReachedClasses reached;

    Copies(ReachedClasses reached, ClassLoader parent) {
      super("copies of " + reached.root().getName(), parent);
      this.reached = reached;
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

  private OwnCode() {}

  /**
   * A kernel that does the same in code of its own.
   *
   * @throws KernelException if it cannot have any, saying why
   */
  public static Kernel of(Kernel kernel) {
    return of(Kernel.class, kernel, KernelTree.of(kernel), kernel.name());
  }

  /**
   * A record that does the same in code of its own, called by an interface of which there is one.
   * Kernels that it makes are of that code, too.
   *
   * @param type the interface, which is public; what its methods take and return has one class each
   *     as well
   * @param record a record that implements it, whose components are as those of kernels
   * @throws KernelException if it cannot have any, saying why
   */
  public static <T> T of(Class<T> type, T record) {
    return of(type, record, KernelTree.of(record), record.getClass().getName());
  }

  /**
   * A record that does the same in code that no other tree of records runs, of those that share
   * some. The first one to come needs no copies, which cost time: it has the originals to itself.
   *
   * @param type as in {@link #of(Class, Object)}
   * @param record as there
   * @param shared what the records have in common: for each there is another first one
   * @throws KernelException if it cannot have any, saying why
   */
  public static <T> T apart(Class<T> type, T record, Class<?> shared) {
    KernelTree tree = KernelTree.of(record);
    return tree.root().equals(first(shared, tree.root()))
        ? record
        : of(type, record, tree, record.getClass().getName());
  }

  /**
   * Sees to it that a record which is to be a part of kernels can have code of its own in them, so
   * that it is refused where the user names it, and whatever other kernels there are.
   *
   * @param type an interface with the methods that kernels call
   * @throws KernelException if it cannot, or is none that kernels can have, saying why
   */
  public static <T> void require(Class<T> type, T record) {
    Branch tree = KernelTree.of(record).root();
    try {
      var _ = ReachedClasses.of(type, tree);
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
   * What the JVM runs for a kernel: a copy, where its tree has strategies and can be copied, and
   * the kernel itself otherwise.
   *
   * @throws StaleRefException as {@link Lease#require}
   * @throws KernelException if it has a ref beside what kernels for devices cannot have
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
      // It runs as well in shared code, only slower.
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
   * The class of a tree that keeps what is known of the tree: one whose loader has those of the
   * others for its parents. So nothing is kept of an application that was unloaded.
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

  // Loaders are told from each other by identity.
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
      ReachedClasses reached = ReachedClasses.of(type, tree);
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

  /** A class cannot be copied. */
  static final class CannotCopyException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String problem;

    /** Whose code it is that has the problem. */
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

    /** The path to the record whose code it is; empty where it is none, or the first. */
    String component(Branch tree) {
      return where == null ? "" : KernelTree.path(tree, where);
    }

    String problem() {
      return problem;
    }
  }
}
