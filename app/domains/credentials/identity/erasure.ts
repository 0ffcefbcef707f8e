/** Why an Aadhaar number and its scan were erased, as the audit log stores it. */
export const IDENTITY_CHECKED = "identity-checked";
