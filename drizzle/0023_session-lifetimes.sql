-- Sessions of doctors, reviewers and administrators now end earlier: 7 days and 12 hours after the login.
UPDATE "sessions" s
SET "expires_at" = least(s."expires_at", s."created_at" + CASE WHEN u."role" = 'doctor' THEN interval '7 days' ELSE interval '12 hours' END)
FROM "users" u
WHERE u."id" = s."user_id" AND u."role" <> 'patient';
