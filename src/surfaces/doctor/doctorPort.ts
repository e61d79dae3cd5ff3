import { HostError } from "../../base/errors.ts";
import { DisposableStore, type Disposable } from "../../base/lifecycle.ts";
import { RpcEndpoint, type MessagePort } from "../../base/rpc.ts";
import { throttle } from "../../base/throttle.ts";
import type { DoctorHostApi, DoctorViewApi } from "./doctorProtocol.ts";
import type { Examination } from "./examination.ts";

/** How often the panel is updated, at most, in milliseconds. */
const tellingMs = 50;

/** The actions of the panel's buttons. Each resolves with a sentence about the outcome. */
export interface DoctorActions {
	fix(fixed: ReturnType<Examination["fixOf"]>, examination: Examination): Promise<string>;
	copyReport(examination: Examination): Promise<string>;
}

/**
 * Connects an examination with the view that shows it. Every message of the view is checked (UI-06), and all state is
 * kept here, so that the view may be closed and reopened (UI-07). Disposing ends the connection, not the examination.
 */
export function connectDoctor(port: MessagePort, examination: Examination, actions: DoctorActions): Disposable {
	const store = new DisposableStore();
	let isFixing = false;
	const view = store.add(
		new RpcEndpoint<DoctorViewApi, DoctorHostApi>(port, {
			ready: () => examination.view,
			again: () => void examination.run(),
			cancel: () => examination.cancel(),
			fix: async (server, finding, fix) => {
				// Two presses of a button are one.
				if (isFixing) throw new HostError("cancelled", "Another check is running.");
				isFixing = true;
				try {
					return await actions.fix(examination.fixOf(server, finding, fix), examination);
				} finally {
					isFixing = false;
				}
			},
			copyReport: () => actions.copyReport(examination),
		}),
	);
	const telling = store.add(throttle(() => view.notify("show", examination.view), tellingMs));
	store.add(examination.onDidChange(() => telling.run()));
	// The view may have shown another one until now.
	telling.run();
	return store;
}
