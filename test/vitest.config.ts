import { defineConfig } from "vitest/config";

/** A suite by its folder. Timeouts in milliseconds are ceilings for a hang; no test asserts a time. */
function project(name: string, testTimeout: number) {
	return { test: { name, include: [`test/${name}/**/*.test.ts`], testTimeout, hookTimeout: 60_000 } };
}

export default defineConfig({
	test: { projects: [project("unit", 15_000), project("integration", 60_000), project("package", 60_000)] },
});
