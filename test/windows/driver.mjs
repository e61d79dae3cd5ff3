/**
 * Runs test files within the Node of Windows, as vitest's workers do on other systems, with vitest's own `it`, `expect`
 * and `vi`. Vitest as a whole needs native parts that are not installed for Windows.
 */
import { readFileSync, writeFileSync } from "node:fs";

// Vitest looks for the state of its worker when it is loaded.
const config = {
	root: process.cwd(),
	name: "windows",
	setupFiles: [],
	passWithNoTests: false,
	allowOnly: true,
	testTimeout: 120_000,
	hookTimeout: 60_000,
	maxConcurrency: 2,
	retry: 0,
	tags: [],
	sequence: { shuffle: false, concurrent: false, seed: 0, hooks: "stack", setupFiles: "parallel" },
	expect: { poll: { timeout: 60_000 } },
	fakeTimers: {},
	snapshotOptions: {},
};
const worker = {
	config,
	environment: { name: "node" },
	ctx: { pool: "forks" },
	providedContext: {},
	resolvingModules: new Set(),
	evaluatedModules: { idToModuleMap: new Map() },
};
Object.defineProperty(globalThis, "__vitest_worker__", { value: worker });

/**
 * Runs the test files that the list in the first argument names, and writes their outcomes into the second one.
 * @param {Record<string, () => Promise<unknown>>} files All that are bundled, by their paths in the repository.
 */
export async function runFiles(files) {
	const { createExpect, vi } = await import("vitest");
	// A second, which is its default, is little for a program under Wine.
	const { waitFor } = vi;
	vi.waitFor = (callback, options = { timeout: config.expect.poll.timeout }) => waitFor(callback, options);
	const { startTests } = await import("vitest/internal/browser");
	const [, , list = "", report = ""] = process.argv;
	const { tests, skipped } = JSON.parse(readFileSync(list, "utf8"));
	const outcomes = [];
	for (const file of tests) {
		worker.filepath = file;
		const runner = {
			config,
			pool: "forks",
			viteEnvironment: "node",
			importFile: () => files[file](),
			extendTaskContext: (context) => {
				let own;
				const make = () => (own ??= createExpect(context.task));
				Object.defineProperty(context, "expect", { get: make });
				return context;
			},
			onCollectStart: (task) => (worker.current = task),
			onCollected: (collected) => collected.flatMap(testsOf).forEach((test) => leaveOut(file, test, skipped)),
			onBeforeRunTask: (test) => {
				worker.current = test;
				console.log(`  ${nameOf(test)}`);
			},
			onBeforeRunSuite: (suite) => void (worker.current = suite),
		};
		const before = { ...process.env };
		console.log(file);
		const done = await startTests([file], runner);
		outcomes.push(...done.flatMap((task) => outcomesOf(file, task)));
		restore(before);
		// All that is known so far, for a run that is ended.
		writeFileSync(report, JSON.stringify(outcomes));
	}
	// A test that left something open must not keep the run from ending.
	process.exit(0);
}

function leaveOut(file, test, skipped) {
	if (skipped.some((one) => one.file === file && (one.tests === undefined || new RegExp(one.tests).test(nameOf(test)))))
		test.mode = "skip";
}

function testsOf(task) {
	return task.type === "test" ? [task] : task.tasks.flatMap(testsOf);
}

function nameOf(test) {
	const names = [];
	for (let task = test; task !== undefined; task = task.suite) names.unshift(task.name);
	return names.join(" ");
}

function outcomesOf(file, task) {
	const tests = testsOf(task).map((test) => ({
		file,
		fullName: nameOf(test),
		status: { pass: "passed", fail: "failed" }[test.result?.state] ?? "pending",
		duration: test.result?.duration ?? 0,
		failureMessages: (test.result?.errors ?? []).map(messageOf),
	}));
	// A file that cannot be loaded has no tests.
	const errors = (task.result?.errors ?? []).map(messageOf);
	if (errors.length > 0)
		tests.push({ file, fullName: "(the file)", status: "failed", duration: 0, failureMessages: errors });
	return tests;
}

function messageOf({ message = "", stack = "", diff }) {
	return [message, ...(diff === undefined ? [] : [diff]), stack].join("\n");
}

function restore(environment) {
	for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
	Object.assign(process.env, environment);
}
