import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Authorization } from "../../../../src/protocol/authorization.ts";
import type { ConnectRequest } from "../../../../src/protocol/connection.ts";
import { HandshakeClock } from "../../../../src/protocol/connection/connect.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

test("a user's time to sign in does not count against the handshake", async () => {
	using clock = new HandshakeClock(1000);
	const whileAsking: Authorization["whileAsking"] = (ask, signal) => ask(signal);
	const { authorization } = clock.pacing({ authorization: { whileAsking } } as ConnectRequest);
	const { promise, resolve } = Promise.withResolvers<void>();
	vi.advanceTimersByTime(600);
	const asked = authorization?.whileAsking(() => promise, clock.signal);
	vi.advanceTimersByTime(10 * 60_000);
	expect(clock.signal.aborted).toBe(false);
	resolve();
	await asked;
	vi.advanceTimersByTime(300);
	expect(clock.signal.aborted).toBe(false);
	vi.advanceTimersByTime(200);
	expect(clock.signal.reason).toMatchObject({ code: "timeout" });
});
