/** Where a part of the host writes its log. `vscode.LogOutputChannel` is assignable to it. */
export interface Log {
	trace(message: string): void;
	debug(message: string): void;
	info(message: string): void;
	warn(message: string): void;
	error(message: string): void;
}

/** A log that drops everything. */
export const silentLog: Log = { trace() {}, debug() {}, info() {}, warn() {}, error() {} };
