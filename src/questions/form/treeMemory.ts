import type { Json } from "../../base/json.ts";
import { pathKey, pathOf, type JsonPath } from "./jsonPath.ts";

/** A text in a control: as the user typed it, or not a value yet. */
export interface TypedText {
	readonly text: string;
	/** The value at the place when it was typed; once that is another, the text is old. */
	readonly value: Json | undefined;
	/** Why the text is not a value; it must be corrected. */
	readonly slip?: string;
}

/** The data of an object's form beside the value: ids, expanded parts, choices and typed texts by place. */
export class TreeMemory {
	private readonly ids = new Map<string, number>();
	private open = new Map<string, boolean>();
	private variants = new Map<string, number>();
	private typed = new Map<string, TypedText>();
	private touched = new Map<string, true>();

	/** The id of a place; the same whenever it is asked for. */
	id(path: JsonPath): number {
		const key = pathKey(path);
		const id = this.ids.get(key) ?? this.ids.size;
		this.ids.set(key, id);
		return id;
	}

	isOpen(path: JsonPath): boolean | undefined {
		return this.open.get(pathKey(path));
	}

	setOpen(path: JsonPath, isOpen: boolean): void {
		this.open.set(pathKey(path), isOpen);
	}

	variant(path: JsonPath): number | undefined {
		return this.variants.get(pathKey(path));
	}

	setVariant(path: JsonPath, index: number): void {
		this.variants.set(pathKey(path), index);
	}

	/** The typed text at a place, unless the value there has changed since. */
	typedAt(path: JsonPath, value: Json | undefined): TypedText | undefined {
		const typed = this.typed.get(pathKey(path));
		return typed !== undefined && typed.value === value ? typed : undefined;
	}

	setTyped(path: JsonPath, typed: TypedText): void {
		this.typed.set(pathKey(path), typed);
	}

	forgetTyped(path: JsonPath): void {
		this.typed.delete(pathKey(path));
	}

	/** The texts that are not values, with their places. */
	get slips(): readonly { readonly path: JsonPath; readonly typed: TypedText }[] {
		return [...this.typed].flatMap(([key, typed]) => (typed.slip === undefined ? [] : [{ path: pathOf(key), typed }]));
	}

	/** Whether the user has been at a place. */
	isTouched(path: JsonPath): boolean {
		return this.touched.has(pathKey(path));
	}

	touch(path: JsonPath): void {
		this.touched.set(pathKey(path), true);
	}

	/** Forgets typed texts and choices: the value was replaced. Expanded parts stay expanded. */
	forgetTexts(): void {
		this.typed.clear();
		this.variants.clear();
	}

	/**
	 * Moves the remembered data of a list's items with them.
	 * @param target the new number of an item; undefined when it was removed
	 */
	moveItems(list: JsonPath, target: (index: number) => number | undefined): void {
		const moved = <T>(map: ReadonlyMap<string, T>): Map<string, T> =>
			new Map(
				[...map].flatMap(([key, entry]): [string, T][] => {
					const path = pathOf(key);
					const index = path[list.length];
					if (typeof index !== "number" || !list.every((part, at) => path[at] === part)) return [[key, entry]];
					const to = target(index);
					return to === undefined ? [] : [[pathKey(path.with(list.length, to)), entry]];
				}),
			);
		this.open = moved(this.open);
		this.variants = moved(this.variants);
		this.typed = moved(this.typed);
		this.touched = moved(this.touched);
	}

	/** Forgets everything about a place and the places below it. */
	forget(place: JsonPath): void {
		const prefix = pathKey(place).slice(0, -1);
		for (const map of [this.open, this.variants, this.typed, this.touched]) {
			for (const key of map.keys()) {
				if (key === pathKey(place) || key.startsWith(`${prefix},`)) map.delete(key);
			}
		}
	}
}
