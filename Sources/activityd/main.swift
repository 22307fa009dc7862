print("activityd")
