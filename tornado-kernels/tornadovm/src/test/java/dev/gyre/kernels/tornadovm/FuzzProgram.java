package dev.gyre.kernels.tornadovm;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Predicate;

/**
 * A random body of a device function over {@code int a, b}, {@code long c, d}, the handles {@code
 * cells} (ints) and {@code longs}, and {@code long at}, the index of an element of its own. It has
 * the shapes that kernels use: branches that meet once, and bounded loops with one exit.
 *
 * @param root the statements, as a tree
 */
record FuzzProgram(Node root) {

  enum Type {
    INT,
    LONG,
    STATEMENT
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

  private static final List<String> INTS =
      List.of("0", "1", "-1", "31", "32", "0x7fffffff", "0x80000000", "-42", "0xffff", "7", "255");
  private static final List<String> LONGS =
      List.of(
          "0L",
          "1L",
          "-1L",
          "63L",
          "0x7fffffffffffffffL",
          "0x8000000000000000L",
          "0xffffffffL",
          "0x80000000L",
          "-42L",
          "0x9E3779B97F4A7C15L");
  private static final List<String> INT_FORMS =
      List.of(
          "(%i + %i)",
          "(%i - %i)",
          "(%i * %i)",
          "(%i & %i)",
          "(%i | %i)",
          "(%i ^ %i)",
          "(0 - %i)",
          "(~%i)",
          "(%i << %i)",
          "(%i >> %i)",
          "Unsigned.shiftRight(%i, %i)",
          "(%i >>> %i)",
          "(%i < %i ? %i : %i)",
          "(%l <= %l ? %i : %i)",
          "(%i == %i ? %i : %i)",
          "(a >= %i && a <= %i ? %i : %i)",
          "(Unsigned.lessThan(%i, %i) ? %i : %i)",
          "(Unsigned.lessThan(%l, %l) ? %i : %i)",
          "(int) %l",
          "cells.fetchAddRelaxed(at, %i)",
          "cells.exchangeAcqRel(at, %i)",
          "cells.compareAndExchangeSeqCst(at, %i, %i)",
          "cells.fetchMinRelaxed(at, %i)",
          "cells.fetchMaxRelaxed(at, %i)",
          "cells.fetchXorRelaxed(at, %i)",
          "(cells.compareAndSetRelaxed(at, %i, %i) ? %i : %i)",
          "cells.loadAcquire(at)");
  private static final List<String> LONG_FORMS =
      List.of(
          "(%l + %l)",
          "(%l - %l)",
          "(%l * %l)",
          "(%l & %l)",
          "(%l | %l)",
          "(%l ^ %l)",
          "(0 - %l)",
          "(~%l)",
          "(%l << %i)",
          "(%l >> %i)",
          "Unsigned.shiftRight(%l, %i)",
          "Unsigned.multiplyHigh(%l, %l)",
          "Unsigned.toLong(%i)",
          "(long) %i",
          "(%l >>> %i)",
          "((long) %i & 0xffffffffL)",
          "(%l < %l ? %l : %l)",
          "(Unsigned.lessThan(%l, %l) ? %l : %l)",
          "longs.fetchAddRelaxed(at, %l)",
          "longs.exchangeRelease(at, %l)",
          "longs.compareAndExchangeAcqRel(at, %l, %l)",
          "longs.fetchMaxAcquire(at, %l)",
          "longs.fetchMinRelaxed(at, %l)",
          "longs.fetchAndRelaxed(at, %l)",
          "longs.get(at)");
  private static final List<String> STATEMENT_FORMS =
      List.of(
          "a = %i;\n",
          "b = %i;\n",
          "c = %l;\n",
          "d = %l;\n",
          "cells.storeRelease(at, %i);\n",
          "longs.set(at, %l);\n",
          "if (%i < %i) {\n%s} else {\n%s}\n",
          "if (%l >= %l) {\n%s}\n",
          "if (a >= %i && a <= %i) {\n%s}\n",
          "for (int i = 0; i < (%i & 7); i++) {\n%s}\n",
          "long n$ = %l & 15;\nwhile (n$ > 0) {\nn$--;\n%s}\n",
          "%s%s",
          "%s%s%s");

  static FuzzProgram random(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Node root =
        new Node(
            Type.STATEMENT,
            "%s%s%s%s",
            List.of(
                statement(random, 3),
                statement(random, 3),
                statement(random, 3),
                statement(random, 2)));
    return new FuzzProgram(root);
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

  private static Node statement(SplittableRandom random, int depth) {
    int forms = depth == 0 ? 6 : STATEMENT_FORMS.size();
    return expand(Type.STATEMENT, STATEMENT_FORMS.get(random.nextInt(forms)), random, depth);
  }

  private static Node expression(Type type, SplittableRandom random, int depth) {
    boolean isInt = type == Type.INT;
    if (depth <= 0 || random.nextInt(6) == 0) {
      List<String> constants = isInt ? INTS : LONGS;
      String leaf =
          switch (random.nextInt(3)) {
            case 0 -> isInt ? "a" : "c";
            case 1 -> isInt ? "b" : "d";
            default -> constants.get(random.nextInt(constants.size()));
          };
      return new Node(type, leaf, List.of());
    }
    List<String> forms = isInt ? INT_FORMS : LONG_FORMS;
    return expand(type, forms.get(random.nextInt(forms.size())), random, depth);
  }

  private static Node expand(Type type, String form, SplittableRandom random, int depth) {
    List<Node> children = new ArrayList<>();
    for (int i = form.indexOf('%'); i >= 0; i = form.indexOf('%', i + 1)) {
      children.add(
          switch (form.charAt(i + 1)) {
            case 'i' -> expression(Type.INT, random, Math.min(depth, 3) - 1);
            case 'l' -> expression(Type.LONG, random, Math.min(depth, 3) - 1);
            default -> statement(random, depth - 1);
          });
    }
    return new Node(type, form.replace("%i", "%s").replace("%l", "%s"), children);
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
      case INT, LONG -> {
        if (!node.children().isEmpty()) {
          all.add(new Node(node.type(), node.type() == Type.INT ? "a" : "c", List.of()));
        }
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
}
