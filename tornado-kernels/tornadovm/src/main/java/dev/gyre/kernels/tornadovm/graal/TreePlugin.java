package dev.gyre.kernels.tornadovm.graal;

import dev.gyre.atomics.tornadovm.graal.HandleNode;
import dev.gyre.atomics.tornadovm.graal.RecordNode;
import dev.gyre.atomics.tornadovm.graal.SharedNode;
import dev.gyre.atomics.tornadovm.graal.TaskPlugin;
import dev.gyre.kernels.KernelTree.Branch;
import dev.gyre.kernels.KernelTree.Leaf;
import dev.gyre.kernels.KernelTree.Node;
import dev.gyre.kernels.KernelTree.Shared;
import dev.gyre.kernels.LaunchShape;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import jdk.graal.compiler.nodes.ValueNode;
import jdk.graal.compiler.nodes.graphbuilderconf.GraphBuilderContext;
import jdk.graal.compiler.nodes.java.StoreFieldNode;
import jdk.vm.ci.meta.JavaKind;
import jdk.vm.ci.meta.ResolvedJavaField;
import jdk.vm.ci.meta.ResolvedJavaMethod;
import jdk.vm.ci.meta.ResolvedJavaType;
import org.jspecify.annotations.Nullable;

/**
 * Replaces the call of a task that stands for a kernel by the records of the kernel, field by
 * field, from the arrays and numbers that are its arguments.
 *
 * <p>No constructor runs on the device: it ran when the kernel was created.
 */
public final class TreePlugin implements TaskPlugin {

  /** Native method of a task's class that stands for the kernel. */
  public static final String KERNEL = "kernel";

  /** Native method of a task's class that stands for the shape of the launch. */
  public static final String SHAPE = "shape";

  private static final Branch SHAPE_TREE =
      new Branch(LaunchShape.class, List.of(new Leaf(int.class), new Leaf(int.class)));

  private final Function<String, @Nullable Branch> trees;

  /**
   * Creates a plugin for tasks.
   *
   * @param trees returns the tree of the task with a class name, or null
   */
  public TreePlugin(Function<String, @Nullable Branch> trees) {
    this.trees = trees;
  }

  @Override
  public boolean isTask(ResolvedJavaMethod method) {
    return tree(method) != null;
  }

  private @Nullable Branch tree(ResolvedJavaMethod method) {
    return trees.apply(method.getDeclaringClass().toJavaName());
  }

  @Override
  public boolean handleInvoke(
      GraphBuilderContext b, ResolvedJavaMethod method, ValueNode[] arguments) {
    Branch tree = tree(method);
    if (tree == null || !method.isNative()) {
      return false;
    }
    Branch made = method.getName().equals(KERNEL) ? tree : SHAPE_TREE;
    b.push(
        JavaKind.Object, make(b, made, Arrays.asList(arguments).iterator(), new AtomicInteger()));
    return true;
  }

  @Override
  public boolean handleNewInstance(GraphBuilderContext b, ResolvedJavaType type) {
    boolean isRecord = b.getMetaAccess().lookupJavaType(Record.class).equals(type.getSuperclass());
    if (isRecord) {
      b.addPush(JavaKind.Object, new RecordNode(type));
    }
    return isRecord;
  }

  /**
   * Returns the node for a place of the tree.
   *
   * @param shared bytes of shared memory that are already placed
   */
  private static ValueNode make(
      GraphBuilderContext b, Node node, Iterator<ValueNode> arguments, AtomicInteger shared) {
    ResolvedJavaType type = b.getMetaAccess().lookupJavaType(node.type());
    return switch (node) {
      case Leaf leaf when leaf.isNumber() -> arguments.next();
      case Leaf _ -> b.append(new HandleNode(type, arguments.next()));
      case Shared memory ->
          b.append(new SharedNode(type, shared.getAndIncrement(), memory.byteSize()));
      case Branch branch -> {
        // Components are created before the record, as in Java.
        List<ValueNode> components =
            branch.components().stream().map(c -> make(b, c, arguments, shared)).toList();
        ValueNode made = b.append(new RecordNode(type));
        ResolvedJavaField[] fields = type.getInstanceFields(false);
        for (int i = 0; i < fields.length; i++) {
          b.add(new StoreFieldNode(made, field(branch, fields, i), components.get(i)));
        }
        yield made;
      }
    };
  }

  /** Returns the field of a component: a class may have its fields in another order. */
  private static ResolvedJavaField field(Branch branch, ResolvedJavaField[] fields, int component) {
    String name = branch.type().getRecordComponents()[component].getName();
    return Arrays.stream(fields).filter(f -> f.getName().equals(name)).findFirst().orElseThrow();
  }
}
