/** Visits of the demo: past, today and upcoming, relative to the day of seeding. */

import type { Role } from "#app/db/schema/index.ts";
import { addDays, type DateKey, instantInIndia, type TimeKey, weekdayOf } from "#app/lib/dates.ts";
import { minutes } from "#app/lib/durations.ts";
import type { AppointmentStatus } from "#app/lib/vocabulary.ts";
import { DOCTORS, PATIENTS } from "./people.ts";
import type { RecordKind } from "./pictures.server.ts";
import { EVENING_SESSION, timesOf } from "./slots.server.ts";

export type DemoRecord = { kind: RecordKind; name: string; description: string };
export type Visit = {
  doctor: string;
  patient: string;
  date: DateKey;
  time: TimeKey;
  status: AppointmentStatus;
  cancelledBy: Role | null;
  reason: string;
  records: DemoRecord[];
};

const ANJALI = "Dr. Anjali Vemuri";
const LAKSHMI = "Lakshmi Prasanna Devi";
const ROUTINE = "Routine Checkup";

const record = (kind: RecordKind, name: string, description = name): DemoRecord => ({ kind, name, description });

type Line = [
  patient: string,
  day: number,
  time: TimeKey,
  status: AppointmentStatus,
  reason: string,
  records?: DemoRecord[],
  doctor?: string,
  cancelledBy?: Role,
];

const NOW_AND_COMING: Line[] = [
  ["Venkata Ramana Murthy", 0, "09:00", "accepted", "Blood pressure review"],
  ["Shaik Rehana", 0, "09:30", "accepted", "Palpitations"],
  [
    "Srinivasa Rao Kommineni",
    0,
    "10:30",
    "accepted",
    "Chest pain after meals",
    [record("prescription", "prescription-october.jpg", "Prescription, October")],
  ],
  ["Jonnalagadda Sai Kiran", 0, "11:00", "accepted", ROUTINE],
  ["Mariamma Pothuraju", 0, "14:00", "accepted", "Swollen feet"],
  ["Abdul Khader", 0, "15:00", "pending", ROUTINE],
  ["Joseph Prabhakar Dasari", 0, "16:30", "accepted", "Yearly review after bypass operation"],
  ["Yakub Pasha Syed", 0, "17:00", "pending", "Breathless at night"],

  ["Padma Sri Nalluri", 1, "09:30", "pending", ROUTINE, [record("other", "thyroid-report.jpg", "Thyroid report")]],
  [
    LAKSHMI,
    1,
    "10:30",
    "accepted",
    "Chest tightness when climbing stairs",
    [
      record("prescription", "prescription-guntur.jpg", "Prescription of the doctor in Guntur"),
      record("xray", "chest-xray.jpg", "Chest X-ray, last month"),
      record("other", "blood-report.jpg", "Blood report"),
    ],
  ],
  ["Kanaka Durga Pinnamaneni", 1, "15:00", "accepted", "Blood pressure high at home"],
  ["Rajesh Kumar Tirumalasetti", 2, "11:00", "pending", "Fitness certificate for work"],
  [
    "Venkata Satyanarayana Murthy Chaganti",
    4,
    "11:00",
    "accepted",
    "Review after stent, brings the angiogram report from Guntur",
    [
      record("other", "angiogram-report.jpg", "Angiogram report, Guntur"),
      record("prescription", "discharge-tablets.jpg", "Tablets on discharge"),
      record("ct_scan", "ct-head.jpg", "CT scan of the head, after a fall"),
    ],
  ],
  ["Annapurna Gadde", 5, "10:00", "accepted", "Before a knee operation"],
  ["Deepika Rani Mekala", 6, "14:30", "pending", "Heart beats fast while running"],
  ["Sowjanya Bandaru", 3, "12:00", "cancelled", ROUTINE, [], ANJALI, "patient"],
  ["Shaik Rehana", 7, "10:00", "cancelled", "Palpitations, review", [], ANJALI, "doctor"],

  [LAKSHMI, 6, "10:30", "pending", "Sugar test result", [], "Dr. Suresh Babu Kolli"],
  [LAKSHMI, -18, "11:00", "completed", "Blood pressure review", [record("prescription", "old-prescription.jpg", "Earlier prescription")]],
  [LAKSHMI, -64, "10:00", "completed", ROUTINE],
  [
    LAKSHMI,
    -41,
    "10:30",
    "completed",
    "Pain in a back tooth",
    [record("prescription", "after-filling.jpg", "Tablets after the filling")],
    "Dr. Fathima Begum Shaik",
  ],
  [LAKSHMI, -97, "11:30", "cancelled", "Cough for three weeks", [], "Dr. Mary Sunitha Gorantla", "patient"],

  ["Mariamma Pothuraju", -9, "09:30", "cancelled", "Swollen feet", [], ANJALI, "patient"],
  ["Deepika Rani Mekala", -27, "14:00", "cancelled", ROUTINE, [], ANJALI, "doctor"],
  ["Rajesh Kumar Tirumalasetti", -52, "12:30", "cancelled", "Chest pain after meals", [], ANJALI, "patient"],
];

const REASONS = [
  ROUTINE,
  "Blood pressure review",
  "Palpitations",
  "Chest pain on walking",
  "Swollen feet",
  "Review of blood report",
  "Giddiness",
  "Before an operation",
  "Review after stent",
];

/** Returns every demo visit. Those that began half an hour ago or earlier are completed, unless cancelled. */
export function demoVisits(today: DateKey, now: Date): Visit[] {
  const taken = new Set<string>();
  const visits: Visit[] = [];
  const add = (visit: Visit) => {
    const key = `${visit.doctor}|${visit.date}|${visit.time}`;
    if (visit.status !== "cancelled" && taken.has(key)) return;
    if (visit.status !== "cancelled") taken.add(key);
    const over = instantInIndia(visit.date, visit.time).getTime() + minutes(30) <= now.getTime();
    visits.push({ ...visit, status: over && visit.status !== "cancelled" ? "completed" : visit.status });
  };
  for (const [patient, day, time, status, reason, records = [], doctor = ANJALI, cancelledBy = null] of NOW_AND_COMING)
    add({ doctor, patient, date: openDay(doctor, addDays(today, day)), time, status, reason, records, cancelledBy });

  // Five months of completed visits of the demo doctor, more of them recently.
  const earlier = PATIENTS.slice(1);
  for (let i = 0; i < 46; i++) {
    const date = addDays(today, -(1 + Math.round(i * 2.2 + (i * i) / 36)));
    const times = timesOf(DOCTORS[0]!.pattern, date);
    add({
      doctor: ANJALI,
      patient: earlier[(i * 7) % earlier.length]!.name,
      date,
      time: times[(i * 5) % times.length]!,
      status: "completed",
      reason: REASONS[(i * 4) % REASONS.length]!,
      records: [],
      cancelledBy: null,
    });
  }
  // A few visits for the other doctors.
  for (const [i, doctor] of DOCTORS.slice(1).entries()) {
    const plan: [number, AppointmentStatus][] = [
      [-30 - i, "completed"],
      [-6 - (i % 9), "completed"],
      [1 + (i % 3), "accepted"],
      [3 + (i % 5), "pending"],
    ];
    for (const [j, [day, status]] of plan.entries()) {
      const date = openDay(doctor.fullName, addDays(today, day));
      const times = timesOf(doctor.pattern, date);
      add({
        doctor: doctor.fullName,
        patient: earlier[(i * 3 + j * 5) % earlier.length]!.name,
        date,
        time: times[(i * 2 + j * 3) % times.length]!,
        status,
        reason: ROUTINE,
        records: [],
        cancelledBy: null,
      });
    }
  }
  return visits;
}

type ClinicLine = [doctor: number, patient: string, time: TimeKey, status: AppointmentStatus, reason: string];
const AT_THE_CLINIC: ClinicLine[] = [
  [2, "Deepika Rani Mekala", "18:00", "accepted", "Pain in a back tooth"],
  [2, "Sowjanya Bandaru", "19:00", "pending", "Teeth cleaning"],
];
/** Bookings of a session, in the order of their tokens. */
const TOKENS_AT_THE_CLINIC: ClinicLine[] = [
  [1, "Annapurna Gadde", EVENING_SESSION.time, "accepted", "Sugar test result"],
  [1, "Padma Sri Nalluri", EVENING_SESSION.time, "accepted", "Thyroid tablets, review"],
  [1, "Venkata Ramana Murthy", EVENING_SESSION.time, "accepted", "Sugar high at home"],
  [1, LAKSHMI, EVENING_SESSION.time, "accepted", "Cough for three weeks"],
  [1, "Rajesh Kumar Tirumalasetti", EVENING_SESSION.time, "pending", "Fever for three days"],
];

/** Returns today's visits of the third doctor at the first doctor's clinic, or those of their next working day. */
export const clinicVisits = (today: DateKey, now: Date): Visit[] =>
  AT_THE_CLINIC.map((line) => {
    const visit = atTheClinic(line, today);
    const over = instantInIndia(visit.date, visit.time).getTime() + minutes(30) <= now.getTime();
    return over ? { ...visit, status: "completed" } : visit;
  });

/** Returns the bookings of the second doctor's session there: today, or on the next working day when it is over. They all start with the session. */
export function tokenVisits(today: DateKey, now: Date): Visit[] {
  const over = instantInIndia(today, EVENING_SESSION.until) <= now;
  return TOKENS_AT_THE_CLINIC.map((line) => atTheClinic(line, over ? addDays(today, 1) : today));
}

const atTheClinic = ([doctor, patient, time, status, reason]: ClinicLine, from: DateKey): Visit => {
  const { fullName } = DOCTORS[doctor]!;
  return { doctor: fullName, patient, date: openDay(fullName, from), time, status, reason, records: [], cancelledBy: null };
};

/** Returns the day itself or the next working day of the doctor. */
function openDay(fullName: string, date: DateKey): DateKey {
  const off = DOCTORS.find((d) => d.fullName === fullName)?.pattern.off ?? [];
  for (let day = date; ; day = addDays(day, 1)) if (!off.includes(weekdayOf(day))) return day;
}
