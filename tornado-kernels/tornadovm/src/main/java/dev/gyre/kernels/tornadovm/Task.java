package dev.gyre.kernels.tornadovm;

import dev.gyre.kernels.KernelTree.Branch;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The method that TornadoVM compiles for a tree of records: it makes the kernel of the arrays and
 * numbers that it is given, and runs it. There is one for each tree, for all devices.
 *
 * @param tree the kernel's records
 * @param method static; takes {@code KernelContext}, the {@link Parameters}, and a {@code
 *     LongArray} for each handle in the tree
 */
record Task(Branch tree, Method method) {

  private static final Map<Branch, Task> KEPT = new ConcurrentHashMap<>();
  private static final Map<String, Task> BY_CLASS = new ConcurrentHashMap<>();

  /** The task of a tree. */
  static Task of(Branch tree) {
    return KEPT.computeIfAbsent(tree, t -> make(t, true));
  }

  /**
   * Makes a task for a tree.
   *
   * @param ends whether each block says when it ends; a test asks for one that does not
   */
  static Task make(Branch tree, boolean ends) {
    Task task = new Task(tree, TaskClass.define(tree, ends));
    BY_CLASS.put(task.method.getDeclaringClass().getName(), task);
    return task;
  }

  /** The tree of the task whose class has this name, or null if it is no task's. */
  static @Nullable Branch treeOfClass(String name) {
    Task task = BY_CLASS.get(name);
    return task == null ? null : task.tree();
  }

  /**
   * Lets go of a task that does not compile: TornadoVM keeps what it knows of a method, and would
   * say less the next time.
   */
  void forget() {
    boolean _ = KEPT.remove(tree, this);
    boolean _ = BY_CLASS.remove(method.getDeclaringClass().getName(), this);
  }

  /** Number of handles. */
  int handleCount() {
    return (int) tree.leaves().stream().filter(l -> !l.isNumber()).count();
  }
}
