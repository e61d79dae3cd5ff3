import Mocha from "mocha";

/**
 * The suite of this process. Imported before the test files, whose `suite` and `test` it defines: they are evaluated
 * while the bundle loads, earlier than Mocha's own loading of files would come.
 */
export const mocha = new Mocha({
	ui: "tdd",
	reporter: "spec",
	// Ends what hangs, on a machine many times slower than the usual one too: no test waits longer than half of it at once.
	timeout: 120_000,
	forbidOnly: process.env["CI"] !== undefined,
});
mocha.suite.emit("pre-require", globalThis, "host", mocha);
