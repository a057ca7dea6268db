. 1
@ blocked
G 1.50 # grass
water 12
