/** The groups of calls in the order of the document, each with what its calls are for. */
export const API_GROUPS: Readonly<Record<string, string>> = {
  "Logging in": "Get a token with a code sent by SMS, confirm your identity again, and revoke a token.",
  "Doctors and hospitals": "Find verified doctors and confirmed hospitals.",
  "A doctor's application": "Submit an application as a doctor and follow its status.",
  "The doctor's own profile and figures": "Read and save the profile of a verified doctor, and read statistics.",
  Availability: "Read the free times of a doctor, and change them as the doctor.",
  Appointments: "Book, list, accept, complete and cancel appointments.",
  Visits: "Read visits with their signed prescriptions, certificates and orders of tests.",
  Waitlist: "Wait for a time of a doctor, and take or decline the times that are offered.",
  Queue: "Read a token's position, report an arrival, leave the queue, and call the next patient.",
  "The patient's own profile": "Read and save the profile of the patient.",
  Notifications: "List notifications and mark them as read.",
  Assistant: "Ask the assistant, and read or delete the chat.",
  "Reviewing doctors": "Review applications for a hospital, and decide on them as an administrator.",
  "Moving in and out": "Bring patients and appointments from a file, undo it, and take them out again.",
  Files: "Download stored files.",
};
