import { and, eq, inArray, ne, notInArray, or, type SQL, sql } from "drizzle-orm";
import {
  appointments,
  doctorDocuments,
  doctors,
  encounters,
  files,
  medicalRecords,
  ownRecords,
  visitDocuments,
} from "#app/db/schema/index.ts";
import { opened } from "#app/db/sealed.server.ts";
import { areDocumentsOpen, documentsOpen, photoOpen } from "#app/domains/booking/appointments/doctor-access.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { ownHospitals } from "#app/domains/credentials/cases/ownership.server.ts";
import { recordRead } from "#app/domains/platform/audit/record.server.ts";
import { readStored, storedFile } from "#app/domains/platform/files/stored-bytes.server.ts";
import { isFileShared, sharedFileOf } from "#app/domains/visit/sharing/shared-records.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";

export type OpenedFile = { bytes: Uint8Array; mediaType: string; name: string };

/**
 * Who may open a medical record or another file (access to records): its owner; the verified doctor of the appointment that a document is attached to,
 * unless it is cancelled, who may also see the patient's photo from acceptance until 30 days after it; a doctor whom the patient allows to see
 * the records, for the documents of that person; the verified doctor who signed an order of tests, for its results; for a submitted document
 * of a doctor, the reviewers of the hospital and the administrators. The query checks the permission; for other users the file
 * does not exist. Writes an audit row, except for the owner. Who has a link that was shared: visit/sharing/open-share.server.ts.
 * @throws DomainError("not-found")
 */
export async function openFile(ctx: Ctx<Actor>, id: string): Promise<OpenedFile> {
  if (!isUuid(id)) throw new DomainError("not-found");
  const { userId } = ctx.actor;
  const [file] = await ctx.db
    .select({
      ownerId: files.ownerId,
      ...storedFile,
      mediaType: files.mediaType,
      name: opened(files.originalName),
      purpose: files.purpose,
      appointmentId: medicalRecords.appointmentId,
      ownKey: ownRecords.personKey,
      orderDoctorId: encounters.doctorId,
      visit: { doctorId: appointments.doctorId, status: appointments.status, name: appointments.patientName },
      kind: doctorDocuments.kind,
    })
    .from(files)
    .leftJoin(medicalRecords, eq(medicalRecords.fileId, files.id))
    .leftJoin(appointments, eq(appointments.id, medicalRecords.appointmentId))
    .leftJoin(ownRecords, eq(ownRecords.fileId, files.id))
    .leftJoin(visitDocuments, eq(visitDocuments.id, ownRecords.orderId))
    .leftJoin(encounters, eq(encounters.id, visitDocuments.encounterId))
    .leftJoin(doctorDocuments, eq(doctorDocuments.fileId, files.id))
    .leftJoin(doctors, eq(doctors.id, doctorDocuments.doctorId))
    .where(
      and(
        eq(files.id, id),
        // Files of patients that a clinic brings or takes out have pages of their own, which check the clinic.
        notInArray(files.purpose, ["import", "export"]),
        or(eq(files.ownerId, userId), and(eq(files.status, "attached"), isOpenTo(ctx))),
      ),
    );
  if (!file) throw new DomainError("not-found");
  const { visit } = file;
  const isOwnVisit = (visit?.doctorId === userId && areDocumentsOpen(visit.status)) || file.orderDoctorId === userId;
  if (file.purpose === "medical-record" && file.ownerId !== userId && !isOwnVisit) {
    const appointment = visit && { name: visit.name, isOpen: areDocumentsOpen(visit.status) };
    if (!(await isFileShared(ctx, { patientId: file.ownerId, ownKey: file.ownKey, appointment }))) throw new DomainError("not-found");
  }
  const bytes = await readStored(ctx, file);
  if (!bytes) throw new DomainError("not-found");
  if (file.ownerId !== userId) {
    const reading = file.kind
      ? { action: "read-document", details: { kind: file.kind } }
      : file.purpose === "patient-photo"
        ? { action: "read-photo", details: {} }
        : { action: "read-record", details: { appointmentId: file.appointmentId } };
    await recordRead(ctx, { ...reading, subjectType: "file", subjectId: id, personId: file.ownerId });
  }
  return { bytes, mediaType: file.mediaType, name: file.name };
}

/** SQL: true for a file that the actor may read, and does not own. */
function isOpenTo(ctx: Ctx<Actor>): SQL | undefined {
  const { userId, role } = ctx.actor;
  // Suspended doctors have no access to patients' documents.
  const practises = sql`exists (select 1 from doctors d where d.id = ${userId} and d.registration_status = 'verified')`;
  const ofAppointment = and(eq(files.purpose, "medical-record"), eq(appointments.doctorId, userId), documentsOpen, practises);
  const ofOrder = and(eq(files.purpose, "medical-record"), eq(encounters.doctorId, userId), practises);
  // The permission is for one person of the account: checked below.
  const ofPermission = and(eq(files.purpose, "medical-record"), sharedFileOf(ctx, files.ownerId));
  const ownPatient = and(
    eq(files.purpose, "patient-photo"),
    sql`exists (select 1 from appointments a where a.patient_id = ${files.ownerId} and a.doctor_id = ${userId} and ${photoOpen(ctx.now)})`,
    practises,
  );
  const document = eq(files.purpose, "doctor-document");
  const ownCase =
    role === "admin"
      ? and(document, eq(doctorDocuments.fileId, files.id))
      : role === "reviewer"
        ? and(document, ne(doctors.registrationStatus, "draft"), inArray(doctors.hospitalId, ownHospitals(ctx)))
        : undefined;
  return or(ofAppointment, ofOrder, ofPermission, ownPatient, ownCase);
}
