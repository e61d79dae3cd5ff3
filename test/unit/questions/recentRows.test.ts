import { describe, expect, it } from "vitest";
import { RecentRows } from "../../../src/questions/recentRows.ts";

/** A list whose editor draws its rows when the test wants. */
class Screen {
	now = 10_000;
	private readonly sent: (() => void)[] = [];
	readonly rows = new RecentRows(
		() => this.now,
		(run) => this.sent.push(run),
	);

	/** Sets rows, which go to the editor after everything that is set at the same moment. */
	show(...identities: readonly string[]): void {
		this.rows.show(identities);
	}

	/** Everything set at this moment has been sent. */
	send(): void {
		for (const run of this.sent.splice(0)) run();
	}

	/** Rows that the editor draws and confirms at once. */
	draw(...identities: readonly string[]): void {
		this.show(...identities);
		this.send();
		this.rows.confirm();
	}

	certain(...places: readonly number[]): readonly boolean[] {
		return places.map((place) => this.rows.isCertain(place));
	}
}

describe("RecentRows: a choice never selects another row than the visible one (UI-14)", () => {
	it("is certain of an unmoved row, and of none at the place of a previous one", () => {
		const screen = new Screen();
		screen.draw("a", "b", "c");
		expect(screen.certain(0, 1, 2)).toEqual([true, true, true]);
		screen.now += 10_000;
		screen.draw("a", "new", "b", "c");
		expect(screen.certain(0, 1, 2, 3)).toEqual([true, false, false, false]);
		screen.now += 249;
		expect(screen.certain(1)).toEqual([false]);
		screen.now += 1;
		expect(screen.certain(0, 1, 2, 3)).toEqual([true, true, true, true]);
	});

	it("remembers every list of the uncertain time, also one that was shown only briefly", () => {
		const screen = new Screen();
		screen.draw("a");
		screen.now += 1000;
		screen.draw("b");
		screen.now += 100;
		screen.draw("a");
		screen.now += 200;
		expect(screen.certain(0)).toEqual([false]);
		screen.now += 50;
		expect(screen.certain(0)).toEqual([true]);
	});

	it("waits for the editor to draw the rows, however long they are pending", () => {
		const screen = new Screen();
		screen.draw("a", "b");
		screen.now += 1000;
		screen.show("a", "new", "b");
		screen.send();
		screen.now += 2000;
		expect(screen.certain(0, 1)).toEqual([true, false]);
		screen.rows.confirm();
		expect(screen.certain(1)).toEqual([false]);
		screen.now += 250;
		expect(screen.certain(0, 1, 2)).toEqual([true, true, true]);
	});

	it("does not use the editor's confirmation of the first of two lists for the second", () => {
		const screen = new Screen();
		screen.show("fill");
		screen.send();
		screen.now += 50;
		screen.show("value", "fill");
		screen.send();
		screen.now += 500;
		screen.rows.confirm();
		screen.now += 300;
		// The click on "fill" was pending before the values were drawn.
		expect(screen.certain(0)).toEqual([false]);
		screen.rows.confirm();
		screen.now += 250;
		expect(screen.certain(0, 1)).toEqual([true, true]);
	});

	it("counts lists that are set at the same moment as one, since the editor receives and confirms only the last", () => {
		const screen = new Screen();
		screen.draw("a");
		screen.now += 1000;
		screen.show("b");
		screen.show("c");
		screen.send();
		screen.rows.confirm();
		screen.now += 250;
		expect(screen.certain(0)).toEqual([true]);
	});

	it("expects no confirmation of a list without rows, and continues without one", () => {
		const screen = new Screen();
		screen.draw("a");
		screen.now += 1000;
		screen.show();
		screen.send();
		screen.now += 10;
		screen.draw("b");
		screen.now += 250;
		expect(screen.certain(0)).toEqual([true]);
		screen.show("c");
		screen.send();
		screen.now += 3249;
		expect(screen.certain(0)).toEqual([false]);
		screen.now += 1;
		expect(screen.certain(0)).toEqual([true]);
	});

	it("is certain of rows that the user requested by typing", () => {
		const screen = new Screen();
		screen.draw("a");
		screen.rows.ask();
		screen.show("b");
		expect(screen.certain(0)).toEqual([true]);
	});

	it("has no row beyond the end, such as one of a list that was longer", () => {
		const screen = new Screen();
		expect(screen.certain(0)).toEqual([false]);
		screen.draw("a");
		expect(screen.certain(1, -1)).toEqual([false, false]);
	});
});
