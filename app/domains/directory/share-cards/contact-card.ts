import { VCard } from "vcard-creator";

type Contact = {
  name: string;
  specialization: string;
  /** Null for a doctor without a hospital. */
  hospital: { name: string; address: string; city: string; phone: string | null } | null;
  /** The doctor's page, absolute. */
  url: string;
};

/** Returns a doctor's public contact as a vCard 3.0 (RFC 2426), which all phones can save. The number is the hospital's. */
export function contactCard({ name, specialization, hospital, url }: Contact): string {
  // One name: names in India do not divide into a given and a family name.
  const card = new VCard().addFullName(name).addName({ givenName: name }).addJobtitle(specialization).addUrl({ url });
  if (hospital) {
    card
      .addCompany({ name: hospital.name })
      .addAddress({ street: hospital.address, locality: hospital.city, country: "India", type: ["work"] });
    if (hospital.phone) card.addPhoneNumber({ number: hospital.phone, type: ["work", "voice"] });
  }
  // The time of the download says nothing about the contact.
  return card.toString().replace(/^REV:.*\r\n/m, "");
}
