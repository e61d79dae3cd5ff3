/**
 * A replacement for `@vscode/sqlite3` in the editor of this script, whose native code is not compiled there: without it no
 * agent session begins. It has the functions that VS Code's Agent Host calls, based on the SQLite of Node.
 */
const { DatabaseSync } = require("node:sqlite");

class Database {
	constructor(file, opened) {
		this.answer(opened, () => (this.sqlite = new DatabaseSync(file)));
	}
	/** Statements are carried out at once, one after the other. */
	serialize() {}
	exec(sql, done) {
		this.answer(done, () => this.sqlite.exec(sql));
	}
	/** The result is the `this` of the callback. */
	run(sql, values, done) {
		this.answer(done, () => this.sqlite.prepare(sql).run(...values.map(bound)), true);
	}
	get(sql, values, done) {
		this.answer(done, () => this.sqlite.prepare(sql).get(...values.map(bound)));
	}
	all(sql, values, done) {
		this.answer(done, () => this.sqlite.prepare(sql).all(...values.map(bound)));
	}
	close(done) {
		this.answer(done, () => this.sqlite.close());
	}
	answer(done, work, isThis = false) {
		let [error, result] = [null];
		try {
			result = work();
		} catch (thrown) {
			error = thrown;
		}
		setImmediate(() => done?.call(isThis ? (result ?? this) : this, error, result));
	}
}

function bound(value) {
	return value === undefined ? null : typeof value === "boolean" ? Number(value) : value;
}

exports.default = { Database };
exports.Database = Database;
