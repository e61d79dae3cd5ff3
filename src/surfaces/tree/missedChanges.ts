import { Emitter, type Event } from "../../base/event.ts";
import type { Disposable } from "../../base/lifecycle.ts";
import type { TreeNode } from "./nodes.ts";

/** How long requested rows may be on their way to VS Code's window, in milliseconds. */
const underWayMs = 1000;

/**
 * Finds the changes that VS Code missed, to announce them once more. When its window receives the rows below a node and
 * a change of that node at once, as over a slow connection or when it is busy, it takes the rows for those after the
 * change and never requests these: its rows stay out of date, and choosing one of them does nothing.
 */
export class MissedChanges implements Disposable {
	private readonly missed = new Emitter<readonly TreeNode[] | undefined>();
	/** The nodes to announce once more, as `announced` was given them. */
	readonly onDidMiss: Event<readonly TreeNode[] | undefined> = this.missed.event;
	/** When the rows below a node were asked for, by its id and the oldest first; "" for the outermost rows. */
	private readonly askedAt = new Map<string, number>();
	/** The nodes that were announced while their rows may have been on their way, and were not requested since. */
	private readonly doubtful = new Map<string, TreeNode | undefined>();
	private timer: NodeJS.Timeout | undefined;

	/** Takes note that the editor asks for the rows below a node, or for the outermost ones. */
	asked(node: TreeNode | undefined): void {
		const id = node?.id ?? "";
		const now = performance.now();
		for (const [other, at] of this.askedAt) {
			if (now - at <= underWayMs) break;
			this.askedAt.delete(other);
		}
		this.askedAt.delete(id);
		this.askedAt.set(id, now);
		this.doubtful.delete(id);
	}

	/** Takes note that VS Code was notified of changed nodes, or, with undefined, of the whole tree. */
	announced(nodes: readonly TreeNode[] | undefined): void {
		const now = performance.now();
		for (const node of nodes ?? [undefined]) {
			const id = node?.id ?? "";
			if (now - (this.askedAt.get(id) ?? Number.NEGATIVE_INFINITY) <= underWayMs) this.doubtful.set(id, node);
		}
		if (this.doubtful.size > 0) this.timer ??= setTimeout(() => this.check(), underWayMs);
	}

	dispose(): void {
		clearTimeout(this.timer);
		this.missed.dispose();
	}

	private check(): void {
		this.timer = undefined;
		const nodes = [...this.doubtful.values()];
		this.doubtful.clear();
		if (nodes.length === 0) return;
		const isWhole = nodes.includes(undefined);
		this.missed.fire(isWhole ? undefined : nodes.filter((node) => node !== undefined));
	}
}
