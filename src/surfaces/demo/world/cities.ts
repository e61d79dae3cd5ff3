/** A city that the demo knows. */
export interface City {
	readonly name: string;
	readonly country: string;
	/** The code of its airport. */
	readonly airport: string;
	readonly latitude: number;
	readonly longitude: number;
	readonly isCoastal: boolean;
}

const rows: readonly (readonly [string, string, string, number, number, "coast" | "inland"])[] = [
	["Amsterdam", "Netherlands", "AMS", 52.4, 4.9, "inland"],
	["Athens", "Greece", "ATH", 38.0, 23.7, "coast"],
	["Barcelona", "Spain", "BCN", 41.4, 2.2, "coast"],
	["Berlin", "Germany", "BER", 52.5, 13.4, "inland"],
	["Copenhagen", "Denmark", "CPH", 55.7, 12.6, "coast"],
	["Dublin", "Ireland", "DUB", 53.3, -6.3, "coast"],
	["Edinburgh", "United Kingdom", "EDI", 55.9, -3.2, "coast"],
	["Florence", "Italy", "FLR", 43.8, 11.3, "inland"],
	["Helsinki", "Finland", "HEL", 60.2, 24.9, "coast"],
	["Istanbul", "Türkiye", "IST", 41.0, 29.0, "coast"],
	["Lisbon", "Portugal", "LIS", 38.7, -9.1, "coast"],
	["London", "United Kingdom", "LHR", 51.5, -0.1, "inland"],
	["Lyon", "France", "LYS", 45.8, 4.8, "inland"],
	["Madrid", "Spain", "MAD", 40.4, -3.7, "inland"],
	["Marrakesh", "Morocco", "RAK", 31.6, -8.0, "inland"],
	["Milan", "Italy", "MXP", 45.5, 9.2, "inland"],
	["Munich", "Germany", "MUC", 48.1, 11.6, "inland"],
	["Naples", "Italy", "NAP", 40.8, 14.3, "coast"],
	["New York", "United States", "JFK", 40.7, -74.0, "coast"],
	["Oslo", "Norway", "OSL", 59.9, 10.7, "coast"],
	["Paris", "France", "CDG", 48.9, 2.4, "inland"],
	["Porto", "Portugal", "OPO", 41.1, -8.6, "coast"],
	["Prague", "Czechia", "PRG", 50.1, 14.4, "inland"],
	["Reykjavik", "Iceland", "KEF", 64.1, -21.9, "coast"],
	["Rome", "Italy", "FCO", 41.9, 12.5, "inland"],
	["San Francisco", "United States", "SFO", 37.8, -122.4, "coast"],
	["Seville", "Spain", "SVQ", 37.4, -6.0, "inland"],
	["Singapore", "Singapore", "SIN", 1.4, 103.8, "coast"],
	["Stockholm", "Sweden", "ARN", 59.3, 18.1, "coast"],
	["Sydney", "Australia", "SYD", -33.9, 151.2, "coast"],
	["Tokyo", "Japan", "HND", 35.7, 139.7, "coast"],
	["Valencia", "Spain", "VLC", 39.5, -0.4, "coast"],
	["Venice", "Italy", "VCE", 45.4, 12.3, "coast"],
	["Vienna", "Austria", "VIE", 48.2, 16.4, "inland"],
	["Zurich", "Switzerland", "ZRH", 47.4, 8.5, "inland"],
];

/** The cities that the demo knows, in alphabetical order. */
export const cities: readonly City[] = rows.map(([name, country, airport, latitude, longitude, place]) => ({
	name,
	country,
	airport,
	latitude,
	longitude,
	isCoastal: place === "coast",
}));

/** Where trips start unless the traveler says otherwise. */
export const homeCity: City = cityNamed("London");

function cityNamed(name: string): City {
	const city = findCity(name);
	if (city === undefined) throw new Error(`The demo has no ${name}.`);
	return city;
}

/** The city of that name, in any letter case; undefined if the demo does not know it. */
export function findCity(name: string): City | undefined {
	const wanted = name.trim().toLowerCase();
	return cities.find((city) => city.name.toLowerCase() === wanted);
}

/** The names of the cities that start with the text, in any letter case. */
export function cityNames(start: string): string[] {
	const wanted = start.trim().toLowerCase();
	return cities.map((city) => city.name).filter((name) => name.toLowerCase().startsWith(wanted));
}

/** The great-circle distance between two cities in kilometres. */
export function distanceKm(from: City, to: City): number {
	const radians = (degrees: number): number => (degrees * Math.PI) / 180;
	const latitude = Math.sin(radians(to.latitude - from.latitude) / 2) ** 2;
	const longitude = Math.sin(radians(to.longitude - from.longitude) / 2) ** 2;
	const spread = Math.cos(radians(from.latitude)) * Math.cos(radians(to.latitude)) * longitude;
	return Math.round(2 * 6371 * Math.asin(Math.sqrt(latitude + spread)));
}
