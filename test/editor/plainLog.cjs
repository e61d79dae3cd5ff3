/**
 * A replacement for `@vscode/spdlog` in the editor of the tests, whose native code is not compiled there: without it no log
 * is written, and every output channel of an extension is empty. It has the functions that VS Code calls, with the same
 * format.
 */
const fs = require("node:fs");
const path = require("node:path");

const levels = ["trace", "debug", "info", "warning", "error", "critical"];

class Logger {
	constructor(_kind, _name, file) {
		this.file = file;
		this.level = 2;
		this.isPlain = false;
	}
	getLevel() {
		return this.level;
	}
	setLevel(level) {
		this.level = level;
	}
	setPattern() {
		this.isPlain = false;
	}
	/** From now on each text is written unchanged, without a time and a line break. */
	clearFormatters() {
		this.isPlain = true;
	}
	flush() {}
	drop() {}
	write(level, text) {
		if (level < this.level) return;
		const time = new Date().toISOString().replace("T", " ").replace("Z", "");
		try {
			fs.appendFileSync(this.file, this.isPlain ? String(text) : `${time} [${levels[level]}] ${text}\n`);
		} catch {
			// The profile is removed, and the editor ends soon.
		}
	}
}
for (const [level, name] of ["trace", "debug", "info", "warn", "error", "critical"].entries()) {
	Logger.prototype[name] = function (text) {
		this.write(level, text);
	};
}

async function createLogger(kind, name, file) {
	fs.mkdirSync(path.dirname(file), { recursive: true });
	return new Logger(kind, name, file);
}

exports.version = 1;
exports.setLevel = () => {};
exports.setFlushOn = () => {};
exports.Logger = Logger;
exports.createRotatingLogger = (name, file) => createLogger("rotating", name, file);
exports.createAsyncRotatingLogger = (name, file) => createLogger("rotating_async", name, file);
