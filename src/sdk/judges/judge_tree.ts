export interface TreeNode {
  /** May have several lines. */
  readonly text: string;
  readonly children: readonly TreeNode[];
}

/** A tree as text, one branch a line, without a final newline. */
export function drawTree(root: TreeNode): string {
  return linesOf(root).join("\n");
}

function linesOf({ text, children }: TreeNode): string[] {
  const [first = "", ...more] = text.split("\n");
  // The lines of a text hang under its own first line, beside the branches that follow.
  const trunk = children.length > 0 ? "│ " : "  ";
  return [
    first,
    ...more.map((line) => trunk + line),
    ...children.flatMap((child, index) => {
      const isLast = index === children.length - 1;
      const [head = "", ...rest] = linesOf(child);
      return [
        (isLast ? "└─ " : "├─ ") + head,
        ...rest.map((line) => (isLast ? "   " : "│  ") + line),
      ];
    }),
  ];
}
