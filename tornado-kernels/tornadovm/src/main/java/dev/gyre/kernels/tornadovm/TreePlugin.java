package dev.gyre.kernels.tornadovm;

import dev.gyre.atomics.tornadovm.graal.HandleNode;
import dev.gyre.atomics.tornadovm.graal.RecordNode;
import dev.gyre.atomics.tornadovm.graal.TaskPlugin;
import dev.gyre.kernels.KernelTree.Branch;
import dev.gyre.kernels.KernelTree.Leaf;
import dev.gyre.kernels.KernelTree.Node;
import dev.gyre.kernels.LaunchShape;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import jdk.graal.compiler.nodes.ValueNode;
import jdk.graal.compiler.nodes.graphbuilderconf.GraphBuilderContext;
import jdk.graal.compiler.nodes.java.StoreFieldNode;
import jdk.vm.ci.meta.JavaKind;
import jdk.vm.ci.meta.ResolvedJavaField;
import jdk.vm.ci.meta.ResolvedJavaMethod;
import jdk.vm.ci.meta.ResolvedJavaType;
import org.jspecify.annotations.Nullable;

/**
 * Makes the records of a {@link Task}: in place of the call, field by field, of the arrays and
 * numbers that are its arguments.
 *
 * <p>No constructor runs on the device: what it checks, it has checked where the kernel was made.
 */
final class TreePlugin implements TaskPlugin {

  private static final Branch SHAPE =
      new Branch(LaunchShape.class, List.of(new Leaf(int.class), new Leaf(int.class)));

  @Override
  public boolean isTask(ResolvedJavaMethod method) {
    return task(method) != null;
  }

  private static @Nullable Task task(ResolvedJavaMethod method) {
    return Task.ofClass(method.getDeclaringClass().toJavaName());
  }

  @Override
  public boolean handleInvoke(
      GraphBuilderContext b, ResolvedJavaMethod method, ValueNode[] arguments) {
    Task task = task(method);
    if (task == null || !method.isNative()) {
      return false;
    }
    Branch tree = method.getName().equals(TaskClass.KERNEL) ? task.tree() : SHAPE;
    b.push(JavaKind.Object, make(b, tree, Arrays.asList(arguments).iterator()));
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

  private static ValueNode make(GraphBuilderContext b, Node node, Iterator<ValueNode> arguments) {
    ResolvedJavaType type = b.getMetaAccess().lookupJavaType(node.type());
    return switch (node) {
      case Leaf leaf when leaf.isNumber() -> arguments.next();
      case Leaf _ -> b.append(new HandleNode(type, arguments.next()));
      case Branch branch -> {
        // Components are made before the record, as Java does.
        List<ValueNode> components =
            branch.components().stream().map(c -> make(b, c, arguments)).toList();
        ValueNode made = b.append(new RecordNode(type));
        ResolvedJavaField[] fields = type.getInstanceFields(false);
        for (int i = 0; i < fields.length; i++) {
          b.add(new StoreFieldNode(made, field(branch, fields, i), components.get(i)));
        }
        yield made;
      }
    };
  }

  /** The field of a component: a class may lay out its fields in another order. */
  private static ResolvedJavaField field(Branch branch, ResolvedJavaField[] fields, int component) {
    String name = branch.type().getRecordComponents()[component].getName();
    return Arrays.stream(fields).filter(f -> f.getName().equals(name)).findFirst().orElseThrow();
  }
}
