import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import type { TestProjectInlineConfiguration } from "vitest/config";

/**
 * A suite by its folder. Timeouts in milliseconds are there to end what hangs, on a machine many times slower than the usual
 * one too; no test asserts a time. The default of a second for a poll is less than such a machine takes to start a process.
 */
function project(name: string, testTimeout: number, more: TestProjectInlineConfiguration["test"] = {}) {
	return {
		test: {
			name,
			include: [`test/${name}/**/*.test.ts`],
			exclude: ["**/*.limits.test.ts"],
			testTimeout,
			hookTimeout: 60_000,
			expect: { poll: { timeout: testTimeout / 2 } },
			...more,
		},
	};
}

export default defineConfig({
	test: {
		// Integration tests wait for their servers more than they work.
		maxWorkers: availableParallelism() * (process.argv.includes("integration") ? 2 : 1),
		projects: [
			// To load the modules for each file takes longer than the tests: files share them, and leave nothing behind.
			project("unit", 120_000, { isolate: false, setupFiles: ["test/unit/leaveNothing.ts"] }),
			project("integration", 120_000, { isolate: false }),
			project("package", 120_000),
			// Tests with hostile and huge input are slow, and rarely change: they are not part of `npm test`.
			project("limits", 120_000, { include: ["test/**/*.limits.test.ts"], exclude: [] }),
		],
	},
});
