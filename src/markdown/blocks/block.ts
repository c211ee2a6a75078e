/** A box as it stands in a list item. */
export interface Box {
  /** Offset of the character between the brackets. */
  readonly offset: number;
  /** Offset at which the title starts, blanks included. */
  readonly titleStart: number;
}

/** A node of the block structure of a document: offsets instead of text, and no inline nodes. */
export interface Block {
  /** The mdast type. */
  readonly type: BlockType;
  readonly start: number;
  /** Behind its last character that is no blank. */
  readonly end: number;
  /** Counted from 1. */
  readonly column: number;
  /** Of a root, a list, an item or a quote. */
  readonly children: readonly Block[];
  /** Of a heading, 0 elsewhere. */
  readonly level: number;
  /** Of a list. */
  readonly ordered: boolean;
  /** Of a list item that is task-like. */
  readonly box: Box | null;
  /** Of a fence or an HTML block that lacks its closing line. */
  readonly isUnclosed: boolean;
}

type BlockType =
  | "root"
  | "list"
  | "listItem"
  | "blockquote"
  | "heading"
  | "code"
  | "html"
  | "thematicBreak"
  | "paragraph"
  | "definition";

/** Whether a task-like item stands in a block, itself included. What stands in a quote is somebody else's. */
export const holdsBox = (block: Block): boolean =>
  block.box !== null || (block.type !== "blockquote" && block.children.some(holdsBox));
