/** Where a part of the host writes its log. `vscode.LogOutputChannel` is assignable to it. */
export interface Log {
	trace(message: string): void;
	debug(message: string): void;
	info(message: string): void;
	warn(message: string): void;
	error(message: string): void;
}

/** A log that hands each line on with its level. */
export function logThrough(write: (level: keyof Log, message: string) => void): Log {
	const at = (level: keyof Log) => (message: string) => write(level, message);
	return { trace: at("trace"), debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

/** A log that drops everything. */
export const silentLog: Log = { trace() {}, debug() {}, info() {}, warn() {}, error() {} };
