import * as vscode from "vscode";

/** The editor's cancellation as a signal. */
export function toAbortSignal(token: vscode.CancellationToken): AbortSignal {
	const controller = new AbortController();
	if (token.isCancellationRequested) controller.abort();
	// The editor drops the listeners of a token together with the request that it belongs to.
	else token.onCancellationRequested(() => controller.abort());
	return controller.signal;
}

/** A signal as the editor's cancellation; dispose the source when the request has ended. */
export function toTokenSource(signal: AbortSignal): vscode.CancellationTokenSource {
	const source = new vscode.CancellationTokenSource();
	if (signal.aborted) source.cancel();
	else signal.addEventListener("abort", () => source.cancel(), { once: true });
	return source;
}
