import { defineConfig } from "vitest/config";

const reporters = ["default", "json"];

export default defineConfig({
	test: {
		projects: [
			{ test: { name: "unit", include: ["test/unit/**/*.test.ts"], testTimeout: 10_000 } },
			{
				test: {
					name: "integration",
					include: ["test/integration/**/*.test.ts"],
					testTimeout: 30_000,
					hookTimeout: 60_000,
				},
			},
		],
		reporters,
	},
});
