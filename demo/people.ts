import type { BloodGroup, Gender, HospitalCategory } from "#app/lib/vocabulary.ts";
/**
 * The invented people and hospitals of demo mode.
 *
 * Phone numbers: the four accounts of docs/contract (9000000001, 9000000101–103) are fixed. Every other number is
 * +91 40 0000 0xxx: 40 is the area code of Hyderabad, so it is no mobile number, and no subscriber's number behind an
 * area code begins with 0 (National Numbering Plan), so none of them reaches a phone.
 */

export const DEMO_PASSWORD = "demo1234";
export const demoPhone = (n: number) => `+91400000${String(n).padStart(4, "0")}`;

export type DemoPlace = { area: string; city: string; state: string; latitude: number; longitude: number };
export type DemoHospital = DemoPlace & {
  name: string;
  category: HospitalCategory;
  specialties: string[];
  street: string;
  pinCode: string;
  about: string;
  workingHours: string;
};

const AP = "Andhra Pradesh";
const TS = "Telangana";
const DAY = "Mon-Sat 9:00 AM - 6:00 PM";
const ROUND = "Open 24 hours, all days";

const hospital = (
  name: string,
  category: HospitalCategory,
  [area, city, state, latitude, longitude]: [string, string, string, number, number],
  street: string,
  pinCode: string,
  specialties: string[],
  workingHours: string,
  about: string,
): DemoHospital => ({ name, category, area, city, state, latitude, longitude, street, pinCode, specialties, workingHours, about });

export const HOSPITALS: DemoHospital[] = [
  hospital(
    "Krishna Heart Centre",
    "Hospital",
    ["Governorpet", "Vijayawada", AP, 16.5131, 80.6275],
    "Eluru Road",
    "520002",
    ["Cardiology", "General", "Laboratory", "Pulmonary", "Vaccination"],
    ROUND,
    "A heart hospital of 120 beds with a catheter laboratory, an intensive care ward and a clinic for blood pressure every morning.",
  ),
  hospital(
    "Sri Durga General Hospital",
    "Hospital",
    ["Labbipet", "Vijayawada", AP, 16.5043, 80.6418],
    "M.G. Road, opposite the Indira Gandhi stadium",
    "520010",
    ["General", "Gastroen", "Neurology", "Pulmonary"],
    ROUND,
    "General medicine, surgery and emergency care for families of Vijayawada and the villages around it.",
  ),
  hospital(
    "Prakasam Trauma Care",
    "Hospital",
    ["Benz Circle", "Vijayawada", AP, 16.4986, 80.6553],
    "Service Road",
    "520010",
    ["General", "Neurology"],
    ROUND,
    "Accident and bone care beside the highway, with an operation theatre ready day and night.",
  ),
  hospital(
    "Gunadala Chest and Lung Hospital",
    "Hospital",
    ["Gunadala", "Vijayawada", AP, 16.5257, 80.6627],
    "Church Road",
    "520004",
    ["Pulmonary", "General"],
    DAY,
    "Asthma, tuberculosis follow-up and breathing tests under one roof.",
  ),
  hospital(
    "Bezawada Family Clinic",
    "Clinic",
    ["Patamata", "Vijayawada", AP, 16.4934, 80.6648],
    "2nd Cross, Patamata Lanka",
    "520010",
    ["General", "Vaccination"],
    "Mon-Sat 9:00 AM - 8:00 PM",
    "A neighbourhood clinic for fevers, sugar and blood pressure, run by two physicians.",
  ),
  hospital(
    "Mamatha Women and Child Clinic",
    "Clinic",
    ["Suryaraopet", "Vijayawada", AP, 16.5119, 80.6362],
    "Prakasam Road",
    "520002",
    ["General", "Vaccination"],
    DAY,
    "Care before and after birth, and the full vaccination schedule for children.",
  ),
  hospital(
    "One Town Dental House",
    "Dental",
    ["One Town", "Vijayawada", AP, 16.5183, 80.6117],
    "Brahmin Street, near Kaleswara Rao Market",
    "520001",
    ["Dentistry"],
    "Mon-Sat 9:30 AM - 7:30 PM",
    "Fillings, root canals and dentures for every age, with steps explained before anything begins.",
  ),
  hospital(
    "Vennela Diagnostics",
    "Laboratory",
    ["Moghalrajpuram", "Vijayawada", AP, 16.5079, 80.6463],
    "Siddhartha College Road",
    "520010",
    ["Laboratory"],
    "Mon-Sun 6:30 AM - 9:00 PM",
    "Blood tests, ECG and scans. Reports the same evening, also at home collection.",
  ),
  hospital(
    "Satyanarayanapuram Vaccination Centre",
    "Vaccination",
    ["Satyanarayanapuram", "Vijayawada", AP, 16.5243, 80.6334],
    "Food Junction Road",
    "520011",
    ["Vaccination"],
    "Mon-Fri 9:00 AM - 4:00 PM",
    "Childhood, travel and flu vaccines from a monitored cold chain.",
  ),
  hospital(
    "Dhanvantari Ayurveda Nilayam",
    "Ayurvedic",
    ["Bhavanipuram", "Vijayawada", AP, 16.5268, 80.5953],
    "Swathi Road",
    "520012",
    ["General"],
    DAY,
    "Ayurvedic consultation and therapies, with referral when modern medicine is needed first.",
  ),
  hospital(
    "Ramavarappadu Medicals",
    "Pharmacy",
    ["Ramavarappadu", "Vijayawada", AP, 16.5227, 80.6811],
    "Ring Road",
    "521108",
    ["General"],
    "Mon-Sun 7:00 AM - 11:00 PM",
    "A pharmacy with a refrigerator for insulin and vaccines and a pharmacist always at the counter.",
  ),
  hospital(
    "Mangalagiri Community Hospital",
    "Hospital",
    ["Old Bus Stand", "Mangalagiri", AP, 16.4307, 80.5686],
    "Temple Road",
    "522503",
    ["General", "Gastroen", "Vaccination"],
    ROUND,
    "Sixty beds between Vijayawada and Guntur: maternity, general surgery and emergency care.",
  ),
  hospital(
    "Amaravati Children’s Clinic",
    "Clinic",
    ["Brodipet", "Guntur", AP, 16.3052, 80.4371],
    "4th Lane",
    "522002",
    ["Vaccination", "General", "Pulmonary"],
    DAY,
    "A calm clinic for newborns to teenagers, with a play corner and a vaccination room.",
  ),
  hospital(
    "Palnadu Kidney and General Hospital",
    "Hospital",
    ["Arundelpet", "Guntur", AP, 16.3018, 80.4452],
    "12th Line",
    "522002",
    ["General", "Gastroen", "Laboratory"],
    ROUND,
    "Dialysis, general medicine and surgery for Guntur and Palnadu districts.",
  ),
  hospital(
    "Lakshmipuram Smile Dental",
    "Dental",
    ["Lakshmipuram", "Guntur", AP, 16.3129, 80.4293],
    "Main Road",
    "522007",
    ["Dentistry"],
    "Mon-Sat 10:00 AM - 8:00 PM",
    "Family dentistry with a chair for children.",
  ),
  hospital(
    "Kothapet Clinical Laboratory",
    "Laboratory",
    ["Kothapet", "Guntur", AP, 16.2963, 80.4498],
    "Old Club Road",
    "522001",
    ["Laboratory"],
    "Mon-Sat 6:30 AM - 8:00 PM",
    "A laboratory known for careful blood counts and cultures.",
  ),
  hospital(
    "Golconda Multispeciality Hospital",
    "Hospital",
    ["Banjara Hills", "Hyderabad", TS, 17.4127, 78.4479],
    "Road No. 10",
    "500034",
    ["General", "Neurology", "Cardiology", "Gastroen"],
    ROUND,
    "Three hundred beds, a cancer ward and a kidney unit in the middle of Hyderabad.",
  ),
  hospital(
    "Ameerpet Eye and ENT Clinic",
    "Clinic",
    ["Ameerpet", "Hyderabad", TS, 17.4374, 78.4487],
    "Dharam Karan Road",
    "500016",
    ["General"],
    DAY,
    "Cataract, glasses, hearing tests and voice care without a long wait.",
  ),
  hospital(
    "Himayatnagar Vaccine and Travel Clinic",
    "Vaccination",
    ["Himayatnagar", "Hyderabad", TS, 17.4021, 78.4852],
    "Street No. 6",
    "500029",
    ["Vaccination", "General"],
    "Mon-Sat 9:00 AM - 5:00 PM",
    "Vaccines for children, pilgrims and travellers.",
  ),
  hospital(
    "Kukatpally Medical Stores",
    "Pharmacy",
    ["Kukatpally", "Hyderabad", TS, 17.4947, 78.3998],
    "KPHB Phase 1",
    "500072",
    ["General"],
    ROUND,
    "A pharmacy that never closes, opposite the metro station.",
  ),
];

/** How a doctor's days look: hours of the morning and afternoon session, and the weekdays off (0 = Sunday). */
export type Pattern = { morning: [number, number] | null; afternoon: [number, number] | null; off: number[] };

export type DemoDoctor = {
  email: string;
  phone: string;
  fullName: string;
  gender: Gender;
  category: string;
  primarySpecialization: string;
  additionalSpecializations: string;
  experienceYears: number;
  /** Rupees. Null if not given. */
  fee: number | null;
  hospital: string;
  about: string;
  languages: string[];
  degree: string;
  college: string;
  pattern: Pattern;
};

const all: Pattern = { morning: [9, 13], afternoon: [14, 17.5], off: [] };
const week: Pattern = { morning: [9, 13], afternoon: [14, 18], off: [0] };
const mornings: Pattern = { morning: [9, 13], afternoon: null, off: [0] };
const evenings: Pattern = { morning: null, afternoon: [13.5, 18], off: [] };
const shortWeek: Pattern = { morning: [10, 12.5], afternoon: [15, 18], off: [0, 3] };

let row = 200;
const doctor = (
  fullName: string,
  gender: Gender,
  [category, primarySpecialization, additionalSpecializations]: [string, string, string],
  experienceYears: number,
  fee: number | null,
  hospitalName: string,
  pattern: Pattern,
  [degree, college]: [string, string],
  languages: string[],
  about: string,
): DemoDoctor => ({
  email: `${fullName
    .toLowerCase()
    .replace(/^dr\. /, "")
    .replace(/[^a-z]+/g, ".")}@demo.test`,
  phone: demoPhone(++row),
  fullName,
  gender,
  category,
  primarySpecialization,
  additionalSpecializations,
  experienceYears,
  fee,
  hospital: hospitalName,
  about,
  languages,
  degree,
  college,
  pattern,
});

const TE = ["Telugu", "English"];
const TH = ["Telugu", "Hindi", "English"];
const TU = ["Telugu", "Urdu", "Hindi", "English"];

export const DOCTORS: DemoDoctor[] = [
  {
    ...doctor(
      "Dr. Anjali Vemuri",
      "female",
      ["Cardiology", "Cardiologist", "Interventional cardiology, blood pressure, heart failure care"],
      14,
      500,
      "Krishna Heart Centre",
      all,
      ["MD, DM (Cardiology)", "Guntur Medical College"],
      TH,
      "Looks after hearts in Governorpet: chest pain, blood pressure, care after a stent and before an operation. Explains each report in Telugu or Hindi.",
    ),
    email: "doctor@demo.test",
    phone: "+919000000101",
  },
  doctor(
    "Dr. Suresh Babu Kolli",
    "male",
    ["General", "Endocrinologist", "General physician, diabetes and thyroid care"],
    22,
    300,
    "Bezawada Family Clinic",
    all,
    ["MD (General Medicine)", "Siddhartha Medical College, Vijayawada"],
    TE,
    "Fever, sugar, thyroid and long-standing illness for whole families around Benz Circle and Patamata.",
  ),
  doctor(
    "Dr. Fathima Begum Shaik",
    "female",
    ["Dentistry", "Dentist", "Root canals, children’s teeth, dentures"],
    9,
    400,
    "One Town Dental House",
    week,
    ["BDS, MDS", "Government Dental College, Vijayawada"],
    TU,
    "Gentle dental care in One Town, with the cost named before the work begins.",
  ),
  doctor(
    "Dr. Mary Sunitha Gorantla",
    "female",
    ["Pulmonary", "Pulmonologist", "Asthma, tuberculosis follow-up, sleep and snoring"],
    17,
    600,
    "Gunadala Chest and Lung Hospital",
    week,
    ["MD (Pulmonary Medicine)", "Andhra Medical College, Visakhapatnam"],
    TE,
    "Lung specialist for cough, wheeze and breathlessness, with breathing tests on the same visit.",
  ),
  doctor(
    "Dr. Venkat Rao Nimmagadda",
    "male",
    ["Neurology", "Neurologist", "Headache, fits, stroke follow-up"],
    19,
    700,
    "Sri Durga General Hospital",
    week,
    ["DM (Neurology)", "Osmania Medical College, Hyderabad"],
    TE,
    "Headache and fits, memory, and walking again after a stroke.",
  ),
  doctor(
    "Dr. Kavitha Reddy Pothula",
    "female",
    ["Gastroen", "Gastroenterologist", "Liver, acidity, endoscopy"],
    12,
    600,
    "Sri Durga General Hospital",
    shortWeek,
    ["DM (Gastroenterology)", "NTR University of Health Sciences"],
    TH,
    "Stomach and liver care with endoscopy, and plain advice about food.",
  ),
  doctor(
    "Dr. Harsha Vardhan Tadikonda",
    "male",
    ["Laboratory", "Hematologist", "Anaemia, blood counts, clotting"],
    11,
    450,
    "Vennela Diagnostics",
    mornings,
    ["MD (Pathology), fellowship in haematology", "Rangaraya Medical College, Kakinada"],
    TE,
    "Reads blood reports with the patient and treats anaemia and clotting disorders.",
  ),
  doctor(
    "Dr. Swarna Latha Mandava",
    "female",
    ["Vaccination", "Pediatrician", "Newborns, vaccination schedule, growth"],
    16,
    350,
    "Mamatha Women and Child Clinic",
    all,
    ["MD (Paediatrics)", "Guntur Medical College"],
    TE,
    "Children from the first day on: vaccination, growth, fever and school health.",
  ),
  doctor(
    "Dr. Lavanya Devi Chilukuri",
    "female",
    ["General", "Gynecologist", "Pregnancy care, menopause, scans"],
    18,
    500,
    "Mamatha Women and Child Clinic",
    week,
    ["MS (Obstetrics and Gynaecology)", "Kurnool Medical College"],
    TH,
    "Care through pregnancy and after, and for women of every age.",
  ),
  doctor(
    "Dr. Ravi Kiran Yalamanchili",
    "male",
    ["General", "Orthopedic", "Fractures, knees, sports injuries"],
    13,
    500,
    "Prakasam Trauma Care",
    evenings,
    ["MS (Orthopaedics)", "Siddhartha Medical College, Vijayawada"],
    TE,
    "Broken bones, painful knees and backs, and the way back to work.",
  ),
  doctor(
    "Dr. Nagamani Sunkara",
    "female",
    ["General", "Dermatologist", "Skin, hair and nails"],
    8,
    400,
    "Amaravati Children’s Clinic",
    shortWeek,
    ["MD (Dermatology)", "Guntur Medical College"],
    TE,
    "Rashes, fungus, acne and hair fall, for children and grown-ups.",
  ),
  doctor(
    "Dr. Mohammed Irfan Baig",
    "male",
    ["General", "ENT Specialist", "Hearing, sinus, throat"],
    15,
    450,
    "Palnadu Kidney and General Hospital",
    week,
    ["MS (ENT)", "Osmania Medical College, Hyderabad"],
    TU,
    "Ear pain, sinus trouble and tonsils, with hearing tests.",
  ),
  doctor(
    "Dr. Prasanthi Alapati",
    "female",
    ["Neurology", "Psychiatrist", "Anxiety, sleep, counselling"],
    10,
    600,
    "Palnadu Kidney and General Hospital",
    evenings,
    ["MD (Psychiatry)", "Andhra Medical College, Visakhapatnam"],
    TE,
    "Listens first. Sleep, worry, sadness and addiction, in confidence.",
  ),
  doctor(
    "Dr. Srinivas Murthy Bodapati",
    "male",
    ["General", "Nephrologist", "Dialysis, kidney stones, blood pressure"],
    21,
    650,
    "Palnadu Kidney and General Hospital",
    mornings,
    ["DM (Nephrology)", "Nizam’s Institute of Medical Sciences, Hyderabad"],
    TE,
    "Kidney disease and dialysis for Guntur and Palnadu.",
  ),
  doctor(
    "Dr. Padmaja Rao Kondapalli",
    "female",
    ["General", "Oncologist", "Breast and blood cancers, day care chemotherapy"],
    20,
    900,
    "Golconda Multispeciality Hospital",
    shortWeek,
    ["DM (Medical Oncology)", "Osmania Medical College, Hyderabad"],
    TH,
    "Cancer care with time for questions, and a nurse who can be called.",
  ),
  doctor(
    "Dr. Syed Aslam Quadri",
    "male",
    ["General", "Urologist", "Stones, prostate, kidney surgery"],
    16,
    750,
    "Golconda Multispeciality Hospital",
    week,
    ["MCh (Urology)", "Nizam’s Institute of Medical Sciences, Hyderabad"],
    TU,
    "Stones, prostate and urine infections, mostly without open surgery.",
  ),
  doctor(
    "Dr. Meenakshi Iyer",
    "female",
    ["General", "Ophthalmologist", "Cataract, glasses, diabetes and the eye"],
    23,
    null,
    "Ameerpet Eye and ENT Clinic",
    all,
    ["MS (Ophthalmology)", "Madras Medical College, Chennai"],
    ["English", "Tamil", "Telugu", "Hindi"],
    "Cataract surgery and eye care for people with diabetes.",
  ),
  doctor(
    "Dr. Chandra Sekhar Goud Palle",
    "male",
    ["General", "Rheumatologist", "Joint pain, lupus, gout"],
    12,
    700,
    "Golconda Multispeciality Hospital",
    mornings,
    ["DM (Rheumatology)", "Nizam’s Institute of Medical Sciences, Hyderabad"],
    TH,
    "Swollen and painful joints, gout and diseases of the immune system.",
  ),
  // Besides the 18 of the specification: a general physician near the centre of each city.
  doctor(
    "Dr. Ramesh Babu Chinta",
    "male",
    ["General", "General Physician", "Fever, infections, blood pressure, check-ups"],
    15,
    300,
    "Sri Durga General Hospital",
    all,
    ["MBBS, MD (General Medicine)", "Siddhartha Medical College, Vijayawada"],
    TH,
    "A family doctor for fever, cough, stomach upsets and yearly check-ups.",
  ),
  doctor(
    "Dr. Haritha Devi Mallela",
    "female",
    ["General", "General Physician", "Fever, diabetes, blood pressure, vaccination"],
    11,
    300,
    "Palnadu Kidney and General Hospital",
    all,
    ["MBBS, MD (General Medicine)", "Guntur Medical College"],
    TE,
    "Everyday illness of adults and children, and long-term care of diabetes and blood pressure.",
  ),
  doctor(
    "Dr. Imran Ali Khan",
    "male",
    ["General", "General Physician", "Fever, infections, asthma, travel advice"],
    18,
    400,
    "Golconda Multispeciality Hospital",
    all,
    ["MBBS, MD (General Medicine)", "Osmania Medical College, Hyderabad"],
    TU,
    "The first doctor to see for fever, cough, pain and questions about medicines.",
  ),
];

/** Who checks and who runs the place. */
export const STAFF = [
  { role: "reviewer", email: "reviewer@demo.test", phone: "+919000000102", staffName: "Sister Grace Kondru" },
  { role: "admin", email: "admin@demo.test", phone: "+919000000103", staffName: "Prasad Rao Vemulapalli" },
] as const;

/** Hours of the evening at the first doctor's clinic, when the two other doctors are there. */
export const CLINIC_EVENINGS: [number, number] = [18, 20];
/** The second doctor gives tokens there: how many patients can book an evening. */
export const TOKENS_OF_EVENING = 24;

/** Staff of the first doctor's clinic. */
export const CLINIC_STAFF = [
  { role: "owner", email: "owner@demo.test", phone: "+919000000104", staffName: "Meera Vemuri" },
  { role: "reception", email: "reception@demo.test", phone: "+919000000105", staffName: "Divya Kolli" },
] as const;

export type DemoPatient = {
  name: string;
  phone: string;
  age: number;
  gender: Gender;
  bloodGroup: BloodGroup | null;
  history: string | null;
};
const patient = (
  name: string,
  age: number,
  gender: Gender,
  bloodGroup: DemoPatient["bloodGroup"],
  history: string | null = null,
): DemoPatient => ({
  name,
  phone: demoPhone(++row),
  age,
  gender,
  bloodGroup,
  history,
});
row = 300;
export const PATIENTS: DemoPatient[] = [
  {
    ...patient("Lakshmi Prasanna Devi", 46, "female", "B+", "High blood pressure since 2019. Tablets every morning."),
    phone: "+919000000001",
  },
  patient("Venkata Ramana Murthy", 58, "male", "O+", "High blood pressure, treated."),
  patient("Shaik Rehana", 34, "female", "A+"),
  patient("Jonnalagadda Sai Kiran", 27, "male", "AB+"),
  patient("Mariamma Pothuraju", 71, "female", "O-", "Diabetes for 20 years. Cataract operated in 2021."),
  patient("Abdul Khader", 63, "male", null),
  patient("Padma Sri Nalluri", 39, "female", "B-", "Thyroid tablets."),
  patient("Venkata Satyanarayana Murthy Chaganti", 68, "male", "O+", "Stent in March, Guntur. Diabetes."),
  patient("Srinivasa Rao Kommineni", 52, "male", "A-"),
  patient("Sowjanya Bandaru", 29, "female", "O+"),
  patient("Yakub Pasha Syed", 45, "male", "B+", "Smoker, 10 a day."),
  patient("Annapurna Gadde", 60, "female", "A+", "Knee pain, sugar at the border."),
  patient("Rajesh Kumar Tirumalasetti", 36, "male", null),
  patient("Deepika Rani Mekala", 24, "female", "AB-", "Asthma as a child."),
  patient("Joseph Prabhakar Dasari", 55, "male", "O+", "Bypass operation in 2018."),
  patient("Kanaka Durga Pinnamaneni", 49, "female", "B+"),
];
