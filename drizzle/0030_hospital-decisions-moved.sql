-- Cases that wait for an administrator: what a reviewer accepted becomes the hospital's decision, and the administrator's begins with none.
-- What an administrator has decided already stays theirs.
UPDATE "doctor_documents" AS d
SET "hospital_decided_by" = d."decided_by", "hospital_decided_at" = d."decided_at", "decision" = 'undecided', "decided_by" = NULL, "decided_at" = NULL
FROM "doctors" AS o, "users" AS u
WHERE o."id" = d."doctor_id" AND o."registration_status" = 'pending admin approval'
  AND u."id" = d."decided_by" AND u."role" = 'reviewer' AND d."decision" = 'matches';
