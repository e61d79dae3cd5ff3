import { kindOf, type Form } from "./form.ts";

/** Numbers of payment cards: written in groups, or near a word that says what they are. */
const card: Form = {
	kind: kindOf("card number"),
	pattern:
		/(?<![\w.-])(?:(?:4\d{3}|5[1-5]\d\d|2[2-7]\d\d|6(?:011|5\d\d))([ -]?)\d{4}\1\d{4}\1\d{4}|3[47]\d\d([ -]?)\d{6}\2\d{5})(?![\w-]|\.\d)/g,
	accepts: ({ input, index, 1: four, 2: six }, secret) => {
		const isGrouped = (four ?? six ?? "") !== "";
		const before = input.slice(Math.max(0, index - 60), index);
		const isNamed = /\b(?:card|visa|mastercard|amex|american express|discover|credit|debit|pan|karte)/i.test(before);
		return (isGrouped || isNamed) && hasCheckDigit(secret.replace(/\D/g, ""));
	},
};

/** How long the account numbers of a country are (ISO 13616). */
const lengths = new Map(
	"AD24AE23AL28AT20AZ28BA20BE16BG22BH22BR29BY28CH21CR22CY28CZ24DE22DK18DO28EE20EG29ES24FI18FO18FR27GB22GE22GI23GL18GR27GT28HR21HU28IE22IL23IQ23IS26IT27JO30KW30KZ20LB28LC32LI21LT20LU20LV21MC27MD24ME22MK19MR27MT31MU30NL18NO15PK24PL28PS29PT25QA29RO24RS22SA24SC31SE24SI19SK24SM27ST25SV28TL23TN24TR26UA29VA22VG24XK20"
		.match(/[A-Z]{2}\d{2}/g)
		?.map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);

/** International bank account numbers, with or without blanks between groups of four. */
const account: Form = {
	kind: kindOf("bank account"),
	pattern: /(?<![\w-])[A-Z]{2}\d{2}(?:(?: [A-Z0-9]{4}){2,7}(?: [A-Z0-9]{1,3})?|[A-Z0-9]{11,30})(?![A-Za-z0-9])/g,
	accepts: (_match, secret) => {
		const digits = secret.replaceAll(" ", "");
		return digits.length === lengths.get(digits.slice(0, 2)) && hasAccountCheck(digits);
	},
};

/** Numbers that open a person's money, told by their check digits. */
export const numberForms: readonly Form[] = [card, account];

/** Luhn's check digit (ISO/IEC 7812). */
function hasCheckDigit(digits: string): boolean {
	const sum = Array.from(digits)
		.toReversed()
		.reduce((total, digit, index) => {
			const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
			return total + (value > 9 ? value - 9 : value);
		}, 0);
	return sum % 10 === 0 && !/^(\d)\1*$/.test(digits);
}

/** The check digits of an account number (ISO 7064, MOD 97-10). */
function hasAccountCheck(number: string): boolean {
	const moved = number.slice(4) + number.slice(0, 4);
	let rest = 0;
	for (const character of moved) {
		const value = Number.parseInt(character, 36);
		rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
	}
	return rest === 1;
}
