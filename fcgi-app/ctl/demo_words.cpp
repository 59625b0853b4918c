#include "ctl/demo_data.h"

namespace tradepost::ctl::demo {
namespace {

constexpr std::uint64_t seed = 20240229;

constexpr Town town_list[] = {
    {"Leeds", "LS", "West Yorkshire"},      {"Manchester", "M", "Greater Manchester"}, {"Birmingham", "B", "West Midlands"},
    {"Bristol", "BS", "Bristol"},           {"Norwich", "NR", "Norfolk"},              {"Exeter", "EX", "Devon"},
    {"York", "YO", "North Yorkshire"},      {"Carlisle", "CA", "Cumbria"},             {"Inverness", "IV", "Highland"},
    {"Aberdeen", "AB", "Aberdeenshire"},    {"Glasgow", "G", "Glasgow"},               {"Edinburgh", "EH", "Edinburgh"},
    {"Cardiff", "CF", "Cardiff"},           {"Swansea", "SA", "Swansea"},              {"Shrewsbury", "SY", "Shropshire"},
    {"Hereford", "HR", "Herefordshire"},    {"Lincoln", "LN", "Lincolnshire"},         {"Peterborough", "PE", "Cambridgeshire"},
    {"Ipswich", "IP", "Suffolk"},           {"Colchester", "CO", "Essex"},             {"Canterbury", "CT", "Kent"},
    {"Brighton", "BN", "East Sussex"},      {"Southampton", "SO", "Hampshire"},        {"Poole", "BH", "Dorset"},
    {"Plymouth", "PL", "Devon"},            {"Truro", "TR", "Cornwall"},               {"Swindon", "SN", "Wiltshire"},
    {"Oxford", "OX", "Oxfordshire"},        {"Northampton", "NN", "Northamptonshire"}, {"Leicester", "LE", "Leicestershire"},
    {"Nottingham", "NG", "Nottinghamshire"}, {"Sheffield", "S", "South Yorkshire"},    {"Hull", "HU", "East Riding of Yorkshire"},
    {"Newcastle upon Tyne", "NE", "Tyne and Wear"}, {"Darlington", "DL", "County Durham"}, {"Preston", "PR", "Lancashire"},
    {"Chester", "CH", "Cheshire"},          {"Stoke-on-Trent", "ST", "Staffordshire"}, {"Gloucester", "GL", "Gloucestershire"},
    {"Perth", "PH", "Perth and Kinross"},   {"Dumfries", "DG", "Dumfries and Galloway"}, {"Belfast", "BT", "County Antrim"},
    {"Llandudno", "LL", "Conwy"},           {"King's Lynn", "PE", "Norfolk"},          {"Milton Keynes", "MK", "Buckinghamshire"},
};

constexpr Sector sector_list[] = {
    {"cars", "new and used cars", "cars and light vans", {"{} Motor Company", "{} Car Centre", "{} Motors", "{} & Daughters Garage"},
     {"Vauxhall", "Škoda", "Kia", "VW", "Peugeot"}, {"used-car values", "part exchange", "electric cars", "warranty claims"}},
    {"vans", "vans and light commercials", "vans and pickups", {"{} Van Sales", "{} Commercials", "{} Light Commercials", "{} Vans Direct"},
     {"Ford", "Renault", "Iveco", "Maxus", "Fiat"}, {"payload rules", "fleet renewals", "electric vans", "racking and conversions"}},
    {"plant", "construction plant", "excavators, dumpers and telehandlers", {"{} Plant Sales", "{} Plant & Tool Hire", "{} Excavators", "{} Construction Equipment"},
     {"JCB", "Kubota", "Takeuchi", "Volvo CE", "Thwaites"}, {"machine security", "hire rates", "HVO fuel", "attachments"}},
    {"agriculture", "farm machinery", "tractors, combines and balers", {"{} Farm Machinery", "{} Tractors", "{} Agricultural Engineers", "{} & Sons Agri"},
     {"John Deere", "New Holland", "Massey Ferguson", "Claas", "Fendt"}, {"harvest preparation", "precision guidance", "tractor prices", "parts stocks"}},
    {"marine", "boats and marine engines", "inboard and outboard engines", {"{} Marine", "{} Boat Sales", "{} Yacht Brokers", "{} Chandlery"},
     {"Yamaha", "Mercury", "Suzuki", "Beneteau", "Orkney"}, {"winter lay-up", "outboard servicing", "boat safety papers", "mooring prices"}},
    {"motorcycles", "motorcycles and scooters", "motorcycles", {"{} Motorcycles", "{} Bikes", "{} Superbikes", "{} Scooter Centre"},
     {"Triumph", "Honda", "Royal Enfield", "Ducati", "BMW"}, {"spring bike sales", "A2 licences", "classic bikes", "riding kit"}},
    {"leisure", "caravans and motorhomes", "caravans, motorhomes and campervans", {"{} Caravans", "{} Leisure Vehicles", "{} Motorhomes", "{} Touring Centre"},
     {"Swift", "Bailey", "Elddis", "Auto-Trail", "Adria"}, {"damp checks", "habitation services", "touring season", "campervan values"}},
    {"trucks", "trucks and trailers", "trucks and trailers", {"{} Truck Centre", "{} Trailers", "{} Truck & Trailer", "{} Haulage Sales"},
     {"DAF", "Scania", "Volvo", "MAN", "Schmitz"}, {"MOT first-time passes", "tachograph rules", "trailer inspections", "driver shortages"}},
    {"handling", "forklifts and handling equipment", "forklifts and access platforms", {"{} Fork Trucks", "{} Lift Trucks", "{} Handling", "{} Access & Handling"},
     {"Linde", "Toyota", "Hyster", "Jungheinrich", "Genie"}, {"LOLER inspections", "lithium batteries", "short-term hire", "operator training"}},
};

constexpr Role role_list[] = {
    {"Sales Executive", "Sales", "Retail sales", "Look after buyers from first call to handover, with a pipeline of warm enquiries and an uncapped bonus.", 26000, 34000,
     {"Answer enquiries from the marketplace, the showroom and the phone", "Appraise part exchanges fairly and in writing", "Arrange finance, delivery and handover", "Keep every customer informed until the paperwork is done"},
     {"Some years of selling to the public or the trade", "A full UK driving licence", "A tidy way with figures and follow-ups"}},
    {"Trade Sales Manager", "Sales", "Trade sales", "Run our trade desk: buy well, sell fast and keep dealers across the country coming back.", 38000, 52000,
     {"Price and list trade stock every morning", "Build relations with dealers, auctions and exporters", "Lead a team of three", "Report margin and days in stock each week"},
     {"A track record in trade sales", "Sound judgement of condition and value", "Leadership without noise"}},
    {"Business Development Manager", "Sales", "Fleet and contracts", "Open new accounts with fleets and contractors across the region.", 36000, 48000,
     {"Find and win fleet and contract customers", "Prepare tenders and framework bids", "Visit sites and plan renewals", "Work with service to keep promises"},
     {"Experience of selling to businesses", "Confidence in front of a board or a building site", "A full UK driving licence"}, true},
    {"Service Technician", "Workshop", "Service", "Diagnose, service and repair in a modern, well-lit workshop with a four-day week on offer.", 30000, 41000,
     {"Carry out inspections, services and repairs to schedule", "Trace electrical and hydraulic faults with manufacturers' tools", "Write clear job cards with photographs", "Help apprentices to learn the trade"},
     {"NVQ level 3 or time served", "Your own hand tools", "Care for safety and for detail"}},
    {"Field Service Engineer", "Workshop", "Mobile service", "Keep customers working: breakdowns and services on site from a fully equipped van.", 34000, 45000,
     {"Attend breakdowns within your area", "Carry out planned services and statutory inspections", "Keep van stock and paperwork in order", "Share a weekend rota, one in five"},
     {"Experience with hydraulics and electrics", "A full UK driving licence", "Calm manners with people in a hurry"}},
    {"Master Technician", "Workshop", "Service", "The person whom others ask. Lead diagnosis in a workshop of eight.", 40000, 52000,
     {"Lead on complex diagnosis", "Sign off repairs and road tests", "Train colleagues on new systems", "Liaise with manufacturers about technical cases"},
     {"Master technician status or equal experience", "High-voltage qualification, or the wish to gain it", "Patience as a teacher"}},
    {"Workshop Controller", "Workshop", "Service", "Plan the day for twelve technicians so that promises to customers are kept.", 36000, 44000,
     {"Load the workshop by skill and bay", "Chase parts and authorisations", "Keep service advisers informed", "Watch efficiency and comebacks"},
     {"A workshop background", "A cool head before nine in the morning", "Command of a dealer management system"}},
    {"Apprentice Technician", "Workshop", "Service", "Earn while you learn: a three-year apprenticeship to level 3 with block release.", 14000, 19000,
     {"Learn servicing and repair beside a mentor", "Attend college in blocks", "Keep a logbook of your work", "Look after tools and bays"},
     {"GCSEs in English and mathematics", "Curiosity about how things work", "Punctuality"}},
    {"Service Adviser", "Aftersales", "Customer service", "The voice of our workshop: book, explain, invoice and follow up.", 25000, 30000,
     {"Book services and repairs", "Explain work and cost in plain words", "Invoice and take payment", "Call customers back, always"},
     {"Customer service experience", "Clear writing", "A liking for busy mornings"}},
    {"Aftersales Manager", "Management", "Aftersales", "Lead service and parts on a site with a loyal customer base.", 48000, 62000,
     {"Own the budget for service and parts", "Recruit, train and keep good people", "Lift customer satisfaction", "Manage warranty and manufacturers' audits"},
     {"Management experience in aftersales", "Commercial sense", "Fairness"}},
    {"Parts Adviser", "Parts", "Parts counter", "Identify, source and sell parts over the counter and by phone.", 24000, 29000,
     {"Look up parts in manufacturers' catalogues", "Quote, order and chase", "Pick and pack for the workshop", "Count stock and keep bins right"},
     {"Parts experience in any trade", "Accuracy", "A steady phone voice"}},
    {"Parts Manager", "Parts", "Parts", "Run a £600,000 parts stock and a team of five.", 35000, 43000,
     {"Set stock levels and buying rules", "Grow trade sales of parts", "Lead the counter and the store", "Report on obsolescence"},
     {"Supervisory experience in parts", "Confidence with spreadsheets", "Knowledge of our makes, or the will to learn"}},
    {"Valeter", "Preparation", "Preparation", "Prepare stock to a standard that sells: wash, polish, detail, photograph.", 22000, 25000,
     {"Valet arrivals and handovers", "Machine polish where needed", "Report damage", "Keep the bay safe and clean"},
     {"An eye for detail", "A driving licence is useful", "Reliability"}},
    {"Stock Photographer", "Marketing", "Marketing", "Photograph and film forty units a week for our listings.", 24000, 28000,
     {"Shoot stills and walk-round videos", "Edit and upload the same day", "Keep the photo bay in order", "Write short, honest captions"},
     {"A portfolio", "Your own good taste", "A driving licence"}},
    {"Digital Marketing Executive", "Marketing", "Marketing", "Bring the right buyers to the right stock, and prove it with numbers.", 28000, 36000,
     {"Plan campaigns and measure them", "Look after listings and the website", "Write the newsletter", "Report enquiries by source"},
     {"Experience with paid search and email", "Good English", "Honesty about what works"}, true},
    {"Transport Coordinator", "Logistics", "Transport", "Move two hundred units a month between sites, auctions and customers.", 27000, 33000,
     {"Plan deliveries and collections", "Book hauliers and drivers", "Check documents and insurance", "Keep customers informed"},
     {"Experience in transport planning", "Knowledge of UK roads and ferries", "A sense of humour on Fridays"}},
    {"HGV Class 1 Driver", "Logistics", "Transport", "Deliver our machines nationwide with a low loader kept to a high standard.", 36000, 44000,
     {"Load, secure and deliver safely", "Carry out daily checks", "Keep tachograph records", "Hand over to customers with care"},
     {"Class 1 licence and CPC", "Low-loader experience", "A clean record"}},
    {"Sales Ledger Clerk", "Finance", "Accounts", "Part of a friendly accounts team of six.", 24000, 28000,
     {"Raise invoices and credit notes", "Allocate receipts daily", "Chase debts politely", "Help with month end"},
     {"Ledger experience", "Accuracy", "Knowledge of VAT on second-hand goods is a plus"}},
    {"Management Accountant", "Finance", "Accounts", "Turn a busy group's figures into decisions.", 42000, 55000,
     {"Prepare monthly accounts for four sites", "Build budgets and forecasts", "Review stock funding", "Improve controls"},
     {"ACCA or CIMA, or nearly", "Experience in distribution or the motor trade", "Clear explanations"}},
    {"Receptionist", "Administration", "Front of house", "The first face and voice that our customers meet.", 22000, 24500,
     {"Welcome visitors", "Answer and direct calls", "Keep the showroom presentable", "Help with the post and filing"},
     {"A warm manner", "Good spelling", "Some experience with the public"}},
    {"Stock Administrator", "Administration", "Administration", "Keep every record right, from registration documents to service history.", 23000, 27000,
     {"Register and tax stock", "Scan and file documents", "Run provenance checks", "Keep listings in step with the yard"},
     {"Administration experience", "Attention to detail", "Discretion"}},
    {"Branch Manager", "Management", "Management", "Take responsibility for a whole site, its people and its profit.", 50000, 68000,
     {"Lead sales, service and parts", "Set targets and help people to meet them", "Represent us in the community", "Answer to the directors each month"},
     {"Experience of running a branch or a large department", "Figures and people in equal measure", "A full UK driving licence"}},
    {"Hire Desk Controller", "Hire", "Hire desk", "Match machines to jobs and get them on site on time.", 27000, 33000,
     {"Take hire orders and advise on machines", "Plan deliveries with transport", "Manage off-hires and damage", "Keep utilisation high"},
     {"Hire desk experience", "Speed with accuracy", "A telephone manner that builders like"}},
    {"Buyer", "Sales", "Purchasing", "Buy stock from auctions, fleets and the public with our money and your judgement.", 35000, 50000,
     {"Value and buy to budget", "Attend auctions, in person and online", "Check provenance and condition", "Review what sold and what did not"},
     {"Buying experience", "Market knowledge", "Nerve"}},
};

constexpr std::string_view first_names[] = {"Harriet", "Owen", "Priya", "Callum", "Gwen", "Tomasz", "Isla", "Rhys", "Amina", "Fergus", "Beth", "Imran", "Morag", "Dylan",
                                            "Chloe", "Ravi", "Siobhán", "Alistair", "Megan", "Kwame", "Eleanor", "Hamish", "Zoë", "Declan", "Joanna", "Tariq", "Nia", "Stuart"};
constexpr std::string_view surnames[] = {"Lowe", "Hargreaves", "Pritchard", "MacLeod", "Thackray", "Bannister", "O'Brien", "Fairclough", "Penrose", "Whitaker", "Nash",
                                         "Ellwood", "Cartwright", "Sutcliffe", "Davies", "Okafor", "Trelawny", "Patel", "Kerr", "Holroyd", "Marsden", "Griffiths", "Dunmore",
                                         "Ashworth", "Birkett", "Calder", "Renwick", "Stobart", "Wainwright", "Yardley", "Hussain", "Nowak", "Garrick", "Loxley", "Tindall"};

}  // namespace

Random::Random(std::string_view kind, std::size_t item) : state_(seed) {
    for (const char c : kind) state_ = state_ * 1099511628211u + static_cast<unsigned char>(c);
    state_ += item * 0x9e3779b97f4a7c15u;
}

// SplitMix64: all of the state's bits reach the result, so that neighbouring items have nothing in common.
std::uint64_t Random::next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

std::span<const Town> towns() { return town_list; }
std::span<const Sector> sectors() { return sector_list; }
std::span<const Role> roles() { return role_list; }

std::string surname(Random& random) { return std::string(random.pick(surnames)); }

std::string person(Random& random) {
    const std::string first(random.pick(first_names));
    return first + " " + surname(random);
}

std::string postcode(Random& random, const Town& town) {
    static constexpr std::string_view letters = "ABDEFGHJLNPQRSTUWXYZ";
    std::string code = std::string(town.postcode_area) + std::to_string(1 + random.below(19)) + " " + std::to_string(1 + random.below(9));
    code += random.pick(letters);
    code += random.pick(letters);
    return code;
}

core::Uuid id(std::string_view kind, std::size_t item) {
    Random random(kind, item + (std::size_t(1) << 40));
    const std::uint64_t ms = 1735689600000u + item * 60000u;  // from 2025 on
    std::string bytes;
    for (int i = 5; i >= 0; --i) bytes += char(ms >> (8 * i));
    for (int i = 0; i < 10; ++i) bytes += char(random.next());
    bytes[6] = char((bytes[6] & 0x0f) | 0x70);
    bytes[8] = char((bytes[8] & 0x3f) | 0x80);
    return core::Uuid::from_bytes(bytes);
}

}  // namespace tradepost::ctl::demo
