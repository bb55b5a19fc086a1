package dev.gyre.atomics.tornadovm.graal;

import dev.gyre.atomics.tornadovm.Syntax;
import dev.gyre.atomics.tornadovm.UncompilableKernelException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import jdk.graal.compiler.core.common.type.ObjectStamp;
import jdk.graal.compiler.graph.Node;
import jdk.graal.compiler.nodes.FixedWithNextNode;
import jdk.graal.compiler.nodes.FrameState;
import jdk.graal.compiler.nodes.GraphState;
import jdk.graal.compiler.nodes.Invoke;
import jdk.graal.compiler.nodes.ParameterNode;
import jdk.graal.compiler.nodes.StateSplit;
import jdk.graal.compiler.nodes.StructuredGraph;
import jdk.graal.compiler.nodes.graphbuilderconf.GraphBuilderConfiguration.Plugins;
import jdk.graal.compiler.nodes.java.AbstractNewArrayNode;
import jdk.graal.compiler.nodes.java.AbstractNewObjectNode;
import jdk.graal.compiler.nodes.spi.Replacements;
import jdk.graal.compiler.nodes.type.StampTool;
import jdk.graal.compiler.nodes.virtual.CommitAllocationNode;
import jdk.graal.compiler.phases.BasePhase;
import jdk.graal.compiler.phases.PhaseSuite;
import jdk.graal.compiler.phases.common.CanonicalizerPhase;
import jdk.graal.compiler.phases.common.inlining.InliningPhase;
import jdk.graal.compiler.phases.common.inlining.info.ExactInlineInfo;
import jdk.graal.compiler.phases.common.inlining.info.InlineInfo;
import jdk.graal.compiler.phases.common.inlining.policy.InliningPolicy;
import jdk.graal.compiler.phases.common.inlining.walker.MethodInvocation;
import jdk.graal.compiler.phases.tiers.HighTierContext;
import jdk.graal.compiler.replacements.ReplacementsImpl;
import jdk.graal.compiler.virtual.phases.ea.PartialEscapePhase;
import jdk.vm.ci.meta.ResolvedJavaMethod;
import jdk.vm.ci.meta.ResolvedJavaType;
import org.jspecify.annotations.Nullable;
import uk.ac.manchester.tornado.runtime.TornadoCoreRuntime;
import uk.ac.manchester.tornado.runtime.graal.backend.XPUBackend;
import uk.ac.manchester.tornado.runtime.graal.phases.TornadoSketchTierContext;
import uk.ac.manchester.tornado.runtime.graal.phases.sketcher.TornadoApiReplacement;

/**
 * Phase that removes all objects and calls from a kernel: records are dissolved into their
 * components, and their methods are inlined.
 *
 * <p>It alternates two steps. Escape analysis finds the class behind an interface, and its method
 * is inlined, so that escape analysis sees more. A method is inlined only if the call is certain to
 * reach it, whatever classes exist; never because it is the only one so far. What remains at the
 * end is impossible on devices, and refused.
 */
public final class DissolvePhase extends BasePhase<HighTierContext> {

  private final Predicate<ResolvedJavaMethod> kernels;
  private final Syntax syntax;
  private final Printer printer;
  private final Consumer<? super UncompilableKernelException> refusals;

  /** Creates a phase for the graphs of some methods. */
  private DissolvePhase(
      Predicate<ResolvedJavaMethod> kernels,
      Syntax syntax,
      Printer printer,
      Consumer<? super UncompilableKernelException> refusals) {
    this.kernels = kernels;
    this.syntax = syntax;
    this.printer = printer;
    this.refusals = refusals;
  }

  /** Registers kernels with a compiler: what their records consist of, and this phase. */
  public static void install(
      XPUBackend<?> backend,
      TaskPlugin tasks,
      Syntax syntax,
      Printer printer,
      Consumer<? super UncompilableKernelException> refusals) {
    Plugins plugins =
        ((ReplacementsImpl) backend.getProviders().getReplacements()).getGraphBuilderPlugins();
    plugins.prependNodePlugin(tasks);
    // PTX reads an annotation of the type of each object parameter; an interface has no exact type.
    plugins.prependParameterPlugin(
        (tool, index, stamps) ->
            stamps.getTrustedStamp() instanceof ObjectStamp stamp && stamp.type() == null
                ? new ParameterNode(index, stamps)
                : null);
    new DissolvePhase(tasks::isTask, syntax, printer, refusals)
        .insertInto(backend.getTornadoSuites().getSketchTier());
  }

  /**
   * Inserts the phase before the backend's own inlining. It also excludes kernels from the phase
   * that reads the class of each method again by the system's class loader, for TornadoVM's
   * annotations, and fails if that loader does not have it.
   */
  private void insertInto(PhaseSuite<TornadoSketchTierContext> tier) {
    var inlining = tier.findPhase(InliningPhase.class);
    var annotations = tier.findPhase(TornadoApiReplacement.class);
    if (inlining == null || annotations == null) {
      throw new LinkageError("the backend's phases are not those of TornadoVM 5.2");
    }
    annotations.set(new OtherMethods(new TornadoApiReplacement()));
    BasePhase<? super TornadoSketchTierContext> _ = inlining.previous();
    inlining.add(this);
  }

  /** Phase for all graphs except graphs of kernels. */
  private final class OtherMethods extends BasePhase<TornadoSketchTierContext> {
    private final BasePhase<TornadoSketchTierContext> phase;

    OtherMethods(BasePhase<TornadoSketchTierContext> phase) {
      this.phase = phase;
    }

    @Override
    public Optional<NotApplicable> notApplicableTo(GraphState state) {
      return phase.notApplicableTo(state);
    }

    @Override
    protected void run(StructuredGraph graph, TornadoSketchTierContext context) {
      if (!kernels.test(graph.method())) {
        phase.apply(graph, context);
      }
    }
  }

  @Override
  public Optional<NotApplicable> notApplicableTo(GraphState state) {
    return ALWAYS_APPLICABLE;
  }

  @Override
  protected void run(StructuredGraph graph, HighTierContext context) {
    if (kernels.test(graph.method())) {
      dissolve(graph, context);
    }
  }

  private void dissolve(StructuredGraph graph, HighTierContext context) {
    CanonicalizerPhase canonicalizer = CanonicalizerPhase.create();
    PartialEscapePhase escape =
        new PartialEscapePhase(true, canonicalizer, TornadoCoreRuntime.getOptions());
    InliningPhase inlining = new InliningPhase(new ExactCalls(), canonicalizer);
    inlining.apply(graph, context);
    escape.apply(graph, context);
    List<Invoke> before = List.of();
    List<Invoke> calls = calls(graph);
    refuseRecursion(calls);
    while (!calls.equals(before)) {
      inlining.apply(graph, context);
      escape.apply(graph, context);
      before = calls;
      calls = calls(graph);
      refuseRecursion(calls);
    }
    refuseWhatIsLeft(graph, calls);
    refuseDivergence(graph);
    HandleNode.drop(graph);
    Node unknown = SharedNode.place(graph, syntax, printer);
    if (unknown != null) {
      throw refusal(
          unknown, "%s", "accesses memory that its block shares, one or another by turns");
    }
  }

  private static List<Invoke> calls(StructuredGraph graph) {
    List<Invoke> calls = new ArrayList<>();
    graph.getInvokes().forEach(calls::add);
    return calls;
  }

  /** Throws for recursion, which would be inlined without end. */
  private void refuseRecursion(List<Invoke> calls) {
    for (Invoke call : calls) {
      ResolvedJavaMethod callee = call.getTargetMethod();
      for (FrameState s = call.stateAfter(); s != null; s = s.outerFrameState()) {
        if (callee.equals(s.getMethod())) {
          throw refusal(
              call.asNode(),
              "calls %s recursively, which devices do not support; write a loop",
              name(callee));
        }
      }
    }
  }

  private void refuseWhatIsLeft(StructuredGraph graph, List<Invoke> calls) {
    for (Node node : graph.getNodes()) {
      switch (node) {
        case AbstractNewObjectNode made when !(made instanceof AbstractNewArrayNode) ->
            requireNoneIsLeft(made, StampTool.typeOrNull(made), calls);
        case CommitAllocationNode made when !made.getVirtualObjects().getFirst().type().isArray() ->
            requireNoneIsLeft(made, made.getVirtualObjects().getFirst().type(), calls);
        default -> {}
      }
    }
    for (Invoke call : calls) {
      throw refusal(
          call.asNode(),
          "calls %s, whose target is unknown or not a device function; call methods "
              + "of the kernel's records, static methods, and operations of handles only",
          name(call.getTargetMethod()));
    }
  }

  /**
   * Throws if an object remains. Records remain if a call takes them; that call is then reported.
   */
  private void requireNoneIsLeft(Node made, @Nullable ResolvedJavaType type, List<Invoke> calls) {
    if (calls.isEmpty() || !isRecord(type)) {
      throw object(made, type);
    }
  }

  private static boolean isRecord(@Nullable ResolvedJavaType type) {
    ResolvedJavaType parent = type == null ? null : type.getSuperclass();
    return parent != null && parent.toJavaName().equals(Record.class.getName());
  }

  private void refuseDivergence(StructuredGraph graph) {
    Node flaw = UniformFlow.flaw(graph);
    if (flaw != null) {
      throw refusal(
          flaw,
          "%s: all threads must call it",
          "waits for all threads of its block or warp on a branch that only some of "
              + "them take");
    }
  }

  private UncompilableKernelException object(Node made, @Nullable ResolvedJavaType type) {
    String name = type == null ? "an object" : "a " + type.toJavaName();
    return refusal(
        made,
        "creates %s that cannot be dissolved: it is thrown, compared, passed or "
            + "stored; return an outcome instead of an exception, and store numbers",
        name);
  }

  private UncompilableKernelException refusal(Node node, String problem, String what) {
    UncompilableKernelException refusal =
        new UncompilableKernelException(place(node), problem.formatted(what));
    refusals.accept(refusal);
    return refusal;
  }

  private static String name(ResolvedJavaMethod method) {
    return method.format("%H.%n");
  }

  /** Returns the source position of a node: of the next known state, or the last one. */
  private static String place(Node node) {
    Node after = node;
    while (after instanceof FixedWithNextNode fixed && state(after) == null) {
      after = fixed.next();
    }
    Node before = node;
    while (before.predecessor() != null && state(before) == null) {
      before = before.predecessor();
    }
    FrameState state = state(after) == null ? state(before) : state(after);
    while (state != null && state.outerFrameState() != null && isLibrary(state.getMethod())) {
      state = state.outerFrameState();
    }
    return state == null ? "it" : String.valueOf(state.getMethod().asStackTraceElement(state.bci));
  }

  private static @Nullable FrameState state(Node node) {
    return node instanceof StateSplit split ? split.stateAfter() : null;
  }

  /** Returns whether a line of a method is less helpful than that of its caller. */
  private static boolean isLibrary(ResolvedJavaMethod method) {
    return method.isConstructor() || method.getDeclaringClass().toJavaName().startsWith("java.");
  }

  /** Inlining policy for calls with a certain target. */
  private static final class ExactCalls implements InliningPolicy {
    @Override
    public boolean continueInlining(StructuredGraph graph) {
      return true;
    }

    @Override
    public Decision isWorthInlining(
        Replacements replacements,
        MethodInvocation invocation,
        InlineInfo callee,
        int depth,
        boolean processed) {
      return invocation.callee().getClass() == ExactInlineInfo.class ? Decision.YES : Decision.NO;
    }
  }
}
