import type { City } from "./cities.ts";
import { between, seeded } from "./random.ts";

/** An invented hotel. The price is in euros for one room and night. */
export interface Hotel {
	readonly name: string;
	readonly price: number;
}

/** The hotels of a city, the best first. */
export function hotelsIn(city: City): [Hotel, ...Hotel[]] {
	const random = seeded("hotels", city.name);
	const price = between(random, 70, 120);
	return [
		{ name: `Grand Example ${city.name}`, price: price * 3 },
		{ name: `Hotel Sample ${city.name}`, price: price * 2 },
		{ name: `Placeholder Inn ${city.name}`, price },
	];
}

/** The hotel of that name in a city, in any letter case, or the one that the name is a part of. */
export function findHotel(city: City, name: string): Hotel | undefined {
	const wanted = name.trim().toLowerCase();
	return hotelsIn(city).find((hotel) => hotel.name.toLowerCase().includes(wanted));
}

/** The reference of a booking, such as `DEMO-7F3K`; the same for the same booking. */
export function bookingReference(...details: readonly string[]): string {
	const random = seeded("booking", ...details);
	return `DEMO-${Array.from({ length: 4 }, () => "23456789ABCDEFGHJKLMNPQRSTUVWXYZ".charAt(between(random, 0, 31))).join("")}`;
}
