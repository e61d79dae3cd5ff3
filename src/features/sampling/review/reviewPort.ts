import { type Disposable, DisposableStore } from "../../../base/lifecycle.ts";
import { type MessagePort, RpcEndpoint } from "../../../base/rpc.ts";
import { throttle } from "../../../base/throttle.ts";
import type { ReviewSession } from "./review.ts";
import type { ReviewHostApi, ReviewViewApi } from "./reviewProtocol.ts";

/** The requests of a view beside the review of the one request. */
export type ReviewPortServices = Pick<ReviewHostApi, "denyAll" | "openRules" | "manageModels" | "openLog">;

/** How often a streamed completion is painted, in milliseconds. */
const paintIntervalMs = 60;

/**
 * Connects a review with the view that shows it. The session checks every message of the view (UI-06), and keeps all
 * state, so that a view may be closed and reopened (UI-07). Disposing ends the connection, not the review.
 */
export function connectReview(port: MessagePort, review: ReviewSession, services: ReviewPortServices): Disposable {
	const store = new DisposableStore();
	const view = store.add(
		new RpcEndpoint<ReviewViewApi, ReviewHostApi>(port, {
			ready: () => review.document,
			edit: (draft) => review.edit(draft),
			approve: (draft) => review.approve(draft),
			stop: () => review.stop(),
			answerByHand: () => review.answerByHand(),
			showAttempt: (attempt) => review.showAttempt(attempt),
			editCompletion: (draft) => review.editCompletion(draft),
			returnToServer: (draft) => review.returnToServer(draft),
			reject: (reason) => review.reject(reason),
			showRedacted: (id, isShown) => review.showRedacted(id, isShown),
			denyAll: () => services.denyAll(),
			openRules: () => services.openRules(),
			manageModels: () => services.manageModels(),
			openLog: () => services.openLog(),
		}),
	);
	const paint = store.add(throttle(() => view.notify("show", review.state), paintIntervalMs));
	store.add(review.onDidChange(() => paint.run()));
	store.add(review.onDidLoad(() => view.notify("load", review.document)));
	return store;
}
