package dev.gyre.kernels.tornadovm;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Predicate;

/**
 * A random body of a device function over {@code int a, b}, {@code long c, d}, the handles {@code
 * cells} (ints) and {@code longs}, and {@code long at}, the index of an element of its own. It has
 * the shapes that kernels use: branches that meet once, and bounded loops. Every third program has
 * {@code boolean p, q} too, which are assigned on branches and read in several places, the last of
 * them at the end; its loops may have a second exit, by a condition. Another third has {@code float
 * f, g}, {@code double x, y} and handles {@code floats} and {@code doubles}. In half of these two
 * thirds, the threads of a block work together, as {@link FuzzMeetings} says.
 *
 * @param root the statements, as a tree
 */
record FuzzProgram(Node root) {

  /** Of so many programs in a row whose threads work together, each meeting is in one. */
  static final int TURNS = 4;

  enum Type {
    INT,
    LONG,
    FLOAT,
    DOUBLE,
    CONDITION,
    STATEMENT,
    /** Declarations, or these with the statements that need them: nothing of it may go. */
    PROGRAM
  }

  /** Text with a %s for each child. */
  record Node(Type type, String format, List<Node> children) {

    String render() {
      return format.formatted(children.stream().map(Node::render).toArray());
    }

    private Node with(int index, Node child) {
      List<Node> changed = new ArrayList<>(children);
      changed.set(index, child);
      return new Node(type, format, changed);
    }
  }

  /**
   * The program of a seed; of six in a row two have boolean variables, two have floats, and of
   * either one has threads that work together.
   */
  static FuzzProgram random(long seed) {
    FuzzForms forms =
        switch (Math.floorMod(seed, 6)) {
          case 0 -> FuzzForms.ALL_NUMBERS;
          case 2 -> FuzzForms.CONDITIONS;
          case 3 -> FuzzForms.NUMBERS_TOGETHER;
          case 5 -> FuzzForms.CONDITIONS_TOGETHER;
          default -> FuzzForms.NUMBERS;
        };
    int turn = (int) Math.floorMod(Math.floorDiv(seed, 6), (long) TURNS);
    return new FuzzProgram(new Maker(new SplittableRandom(seed), forms, turn).program());
  }

  String body() {
    // Names of loop variables must differ where loops nest.
    StringBuilder text = new StringBuilder();
    int loops = 0;
    String rest = root.render();
    int at = rest.indexOf("long n$");
    while (at >= 0) {
      int end = rest.indexOf("n$--;", at) + "n$--;".length();
      text.append(rest, 0, at).append(rest.substring(at, end).replace("n$", "n" + loops++));
      rest = rest.substring(end);
      at = rest.indexOf("long n$");
    }
    return indexed(text + rest);
  }

  private static String indexed(String text) {
    StringBuilder out = new StringBuilder();
    int loops = 0;
    for (String line : text.lines().toList()) {
      out.append(
              line.startsWith("for (int i ")
                  ? line.replaceAll("\\bi\\b(?= [=<])|\\bi(?=\\+\\+)", "i" + loops++)
                  : line)
          .append('\n');
    }
    return out.toString();
  }

  /** A smaller program that still fails, as far as a number of tries goes. */
  FuzzProgram shrink(Predicate<FuzzProgram> fails, int tries) {
    FuzzProgram best = this;
    int left = tries;
    boolean smaller = true;
    while (smaller && left > 0) {
      smaller = false;
      for (Node candidate : smaller(best.root)) {
        FuzzProgram program = new FuzzProgram(candidate);
        if (!smaller && left-- > 0 && fails.test(program)) {
          best = program;
          smaller = true;
        }
      }
    }
    return best;
  }

  /** The trees in which one node is replaced by a leaf or by one of its own descendants. */
  private static List<Node> smaller(Node node) {
    List<Node> all = new ArrayList<>();
    switch (node.type()) {
      case STATEMENT -> {
        if (!node.format().isEmpty()) {
          all.add(new Node(Type.STATEMENT, "", List.of()));
        }
      }
      case INT, LONG, FLOAT, DOUBLE -> {
        if (!node.children().isEmpty()) {
          all.add(new Node(node.type(), variables(node.type()).getFirst(), List.of()));
        }
      }
      case CONDITION -> {
        if (!node.children().isEmpty()) {
          all.add(new Node(Type.CONDITION, "p", List.of()));
        }
      }
      case PROGRAM -> {
        // Its declarations stay.
      }
    }
    for (Node child : node.children()) {
      if (child.type() == node.type()) {
        all.add(child);
      }
    }
    for (int i = 0; i < node.children().size(); i++) {
      for (Node child : smaller(node.children().get(i))) {
        all.add(node.with(i, child));
      }
    }
    return all;
  }

  private static List<String> variables(Type type) {
    return switch (type) {
      case INT -> List.of("a", "b");
      case LONG -> List.of("c", "d");
      case FLOAT -> List.of("f", "g");
      default -> List.of("x", "y");
    };
  }

  private static List<String> constants(Type type) {
    return switch (type) {
      case INT -> FuzzForms.INTS;
      case LONG -> FuzzForms.LONGS;
      case FLOAT -> FuzzForms.FLOATS;
      default -> FuzzForms.DOUBLES;
    };
  }

  /**
   * Draws the nodes of a program.
   *
   * @param turn which of the meetings come by in any case: every {@link #TURNS}th from this one on
   */
  private record Maker(SplittableRandom random, FuzzForms forms, int turn) {

    Node program() {
      if (!forms.hasConditions()) {
        return body();
      }
      // No names of what is not declared yet: expressions of depth 0 are variables and constants.
      Node p = expand(Type.PROGRAM, "boolean p = c > %l;\n", 0);
      Node q = expand(Type.PROGRAM, "boolean q = b < %i;\n", 0);
      Node end = expand(Type.STATEMENT, "a += (p && %k ? 1 : 0) + (q || %k ? 2 : 0);\n", 1);
      return new Node(Type.PROGRAM, "%s%s%s%s", List.of(p, q, body(), end));
    }

    private Node body() {
      return forms.meetings().isEmpty() ? alone() : together();
    }

    /** A part of the meetings, in any order, and a few statements between them. */
    private Node together() {
      List<String> dealt = new ArrayList<>();
      for (int i = turn; i < forms.meetings().size(); i += TURNS) {
        dealt.add(random.nextInt(dealt.size() + 1), forms.meetings().get(i));
      }
      List<Node> parts = new ArrayList<>();
      for (int i = 0; i < dealt.size(); i++) {
        if (i % 6 == 0) {
          parts.add(statement(2));
        }
        parts.add(expand(Type.STATEMENT, dealt.get(i), 2));
      }
      parts.add(statement(2));
      return new Node(Type.STATEMENT, "%s".repeat(parts.size()), parts);
    }

    private Node alone() {
      return new Node(
          Type.STATEMENT,
          "%s%s%s%s",
          List.of(statement(3), statement(3), statement(3), statement(2)));
    }

    private Node statement(int depth) {
      return expand(Type.STATEMENT, any(depth == 0 ? forms.simple() : forms.statements()), depth);
    }

    private Node meeting(int depth) {
      List<String> all = forms.meetings();
      String form = any(all);
      while (depth <= 0 && form.contains("%m")) {
        form = any(all);
      }
      return expand(Type.STATEMENT, form, depth);
    }

    private Node expression(Type type, int depth) {
      if (depth <= 0 || random.nextInt(6) == 0) {
        int which = random.nextInt(3);
        String leaf = which < 2 ? variables(type).get(which) : any(constants(type));
        return new Node(type, leaf, List.of());
      }
      List<String> all =
          switch (type) {
            case INT -> forms.ints();
            case LONG -> forms.longs();
            case FLOAT -> forms.floats();
            default -> forms.doubles();
          };
      return expand(type, any(all), depth);
    }

    private Node condition(int depth) {
      boolean leaf = depth <= 0 || random.nextInt(3) == 0;
      return leaf ? comparison() : expand(Type.CONDITION, any(FuzzForms.CONDITION_FORMS), depth);
    }

    private Node comparison() {
      return expand(Type.CONDITION, any(FuzzForms.CONDITION_LEAVES), 0);
    }

    private Node expand(Type type, String form, int depth) {
      List<Node> children = new ArrayList<>();
      int inner = Math.min(depth, 3) - 1;
      for (int i = form.indexOf('%'); i >= 0; i = form.indexOf('%', i + 1)) {
        children.add(
            switch (form.charAt(i + 1)) {
              case 'i' -> expression(Type.INT, inner);
              case 'l' -> expression(Type.LONG, inner);
              case 'f' -> expression(Type.FLOAT, inner);
              case 'd' -> expression(Type.DOUBLE, inner);
              case 'b' -> condition(inner);
              case 'k' -> comparison();
              case 'm' -> meeting(depth - 1);
              default -> statement(depth - 1);
            });
      }
      return new Node(type, form.replaceAll("%[ilfdbkm]", "%s"), children);
    }

    private String any(List<String> list) {
      return list.get(random.nextInt(list.size()));
    }
  }
}
