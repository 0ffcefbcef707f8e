import { VCard } from "vcard-creator";

type Contact = {
  name: string;
  specialization: string;
  /** Null for a doctor without a hospital. */
  hospital: { name: string; address: string; city: string; pinCode: string | null; phone: string | null } | null;
  /** The doctor's page, absolute. */
  url: string;
};

/** Returns the title, the given names and the last word as the family name, as address books sort by it. One word is a given name. */
function partsOf(name: string): { honorificPrefix: string; givenName: string; familyName: string } {
  const [, honorificPrefix = "", rest = ""] = /^((?:Dr|Prof|డా|డాక్టర్|डॉ|डॉक्टर)\.?(?=\s))?\s*(.*)$/is.exec(name) ?? [];
  const words = rest.trim().split(" ");
  const familyName = words.length > 1 ? words.pop()! : "";
  return { honorificPrefix, givenName: words.join(" "), familyName };
}

/** Returns a doctor's public contact as a vCard 3.0 (RFC 2426), which all phones can save. The number is the hospital's. */
export function contactCard({ name, specialization, hospital, url }: Contact): string {
  const card = new VCard().addFullName(name).addName(partsOf(name)).addJobtitle(specialization).addUrl({ url });
  if (hospital) {
    card.addCompany({ name: hospital.name }).addAddress({
      street: hospital.address,
      locality: hospital.city,
      ...(hospital.pinCode && { postalCode: hospital.pinCode }),
      country: "India",
      type: ["work"],
    });
    if (hospital.phone) card.addPhoneNumber({ number: hospital.phone, type: ["work", "voice"] });
  }
  // The time of the download says nothing about the contact.
  return card.toString().replace(/^REV:.*\r\n/m, "");
}
