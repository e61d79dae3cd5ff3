/** The steps of `npm test` and `npm run test:all`. */

/** An npm script, and the report that its tests leave in `test-output`. */
export interface Step {
	readonly script: string;
	readonly report?: string;
	/** The run that it belongs to; both by default. */
	readonly only?: "fast" | "all";
	readonly needsBrowser?: boolean;
	readonly needsEditor?: boolean;
	/** The resource that it needs most. The fast run has the steps of a lane beside those of the others, after all that have none. */
	readonly lane?: "processors" | "servers" | "windows";
	/** It reads /proc and sends POSIX signals. */
	readonly needsLinux?: boolean;
}

/**
 * All steps in their order. The full run has one after the other, since each uses all processors where it can. The package
 * comes first: the lanes use it, and their builds for tests take its files away from `test:package`.
 */
export const steps: readonly Step[] = [
	{ script: "package" },
	{ script: "test:package", report: "package.json" },
	{ script: "check", report: "unit.json", lane: "processors" },
	{ script: "test:integration", report: "integration.json", lane: "servers" },
	{ script: "test:editor", report: "host.json", needsEditor: true, lane: "servers" },
	{
		script: "test:journeys",
		report: "journeys.json",
		only: "fast",
		needsBrowser: true,
		needsEditor: true,
		lane: "windows",
	},
	{ script: "test:view:fast", report: "view.json", only: "fast", needsBrowser: true, lane: "servers" },
	{ script: "test:view", report: "view.json", only: "all", needsBrowser: true },
	{ script: "test:e2e", report: "e2e.json", only: "all", needsBrowser: true, needsEditor: true },
	{ script: "test:editor:least", report: "host-least.json", only: "all", needsEditor: true },
	{ script: "test:limits", report: "limits.json", only: "all" },
	{ script: "conformance", report: "conformance.json", only: "all" },
	{ script: "apps:conformance", report: "apps-conformance.json", only: "all", needsBrowser: true },
	{ script: "faults", report: "faults.json", only: "all", needsLinux: true },
	{ script: "soak:short", report: "soak.json", only: "all", needsLinux: true },
];
